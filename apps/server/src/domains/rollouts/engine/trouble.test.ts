import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../../testing/rollouts.ts';

let fixture: RolloutFixture;
let group: string;
let version = 0;

beforeAll(async () => {
  fixture = await openRolloutFixture({ downloads: 3, rollouts: { restartMs: 60_000 } });
});
afterEach(() => fixture.cutAll());
afterAll(() => fixture.close());

async function some(count: number, choice: Parameters<RolloutFixture['routers']>[2] = {}): Promise<GroupRouter[]> {
  group = await fixture.group();
  return fixture.routers(group, count, choice);
}
async function one(choice: Parameters<RolloutFixture['routers']>[2] = {}): Promise<GroupRouter> {
  const [router] = await some(1, choice);
  await router!.connect();
  return router!;
}
async function bound(more: Record<string, unknown> = {}) {
  const label = `3.0.${++version}`;
  return { label, rollout: await fixture.bind('firmware', group, await fixture.firmware(label), more) };
}
const statesOf = async () => (await fixture.rollout(group)).states;

describe('routers that fail or lie', () => {
  test('GRP-10-partial one that reports success but starts another version has failed, and exactly it is retried', async () => {
    const router = await one();
    const { label, rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    await router.complete(router.operations[0]!);
    await router.boot('1.0.0');
    await fixture.becomes(rollout, router, {
      state: 'failed',
      reason: 'not-in-force',
      detail: `1.0.0 ≠ ${label}`,
      step_key: null,
    });
    await fixture.control(rollout.id, 'retry', [router.device]);
    await fixture.awaitRequests(router, 2);
    expect(router.operations[1]!.key).not.toBe(router.operations[0]!.key);
    await router.complete(router.operations[1]!);
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful', attempt: 2 });
  });

  test.each([
    ['a code', 'download-failed: HTTP 404', 'failed', 'download-failed'],
    ['a status', 'ValidationFailed', 'failed', 'verification-failed'],
    ['another status', 'InstallationFailed', 'failed', 'installation-failed'],
    ['a return to the old slot', 'did-not-call-home', 'rolled-back', 'did-not-call-home'],
    ['its own message', 'The flash is worn out\n', 'failed', 'The flash is worn out'],
    ['a message that begins with a code of a rollout', 'paused: low battery', 'failed', 'paused: low battery'],
    ['nothing but such a code', 'offline', 'failed', 'error 7022: offline'],
    ['no message', '', 'failed', 'error 7022'],
    ['a very long message', 'x'.repeat(5_000), 'failed', 'x'.repeat(200)],
  ] as const)('GRP-10-partial a step that fails with %s says why', async (_, message, state, reason) => {
    const router = await one();
    const { rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    await router.complete(router.operations[0]!, { message });
    await fixture.becomes(rollout, router, { state, reason });
    expect((await fixture.rollout(group)).states[state]).toBe(1);
  });

  test('GRP-10-partial success for a step that was not sent, or of another router, changes nothing', async () => {
    const [router, other] = (await some(2)) as [GroupRouter, GroupRouter];
    await Promise.all([router.connect(), other.connect()]);
    const { rollout } = await bound();
    await Promise.all([fixture.awaitRequests(router, 1), fixture.awaitRequests(other, 1)]);
    const before = fixture.server.rollouts.stats().ignored;
    await router.complete({ ...router.operations[0]!, key: 'made-up' });
    await router.complete(other.operations[0]!);
    expect(fixture.server.rollouts.stats().ignored - before).toBe(2);
    await fixture.becomes(rollout, router, { state: 'downloading', phase: 'sent' });
    await fixture.becomes(rollout, other, { state: 'downloading', phase: 'sent' });
  });

  test('NOD-02-partial one that left before its step was sent frees its download slot at once, and the step was no attempt', async () => {
    const routers = await some(4);
    const [connected, ...gone] = routers as [GroupRouter, ...GroupRouter[]];
    await connected.connect();
    const { owner, presence } = fixture.server;
    await expect.poll(async () => (await owner.query("select 1 from routers where presence = 'online'")).rows.length).toBe(1);
    // As when their connections end just now: the rows still say that this node holds them; in one statement, since the periodic comparison may run after it.
    await owner.query(
      `with held as (update routers set presence = 'online', held_by = o.held_by, reported = o.reported
          from (select held_by, reported from routers where serial = $1) o where serial = any ($2))
        update devices set presence = 'online' where serial = any ($2)`,
      [connected.serial, gone.map(({ serial }) => serial)],
    );
    const { rollout } = await bound();
    await fixture.awaitRequests(connected, 1);
    for (const router of gone)
      await fixture.becomes(rollout, router, { state: 'waiting', reason: 'offline', phase: 'idle', attempt: 0, step_key: null });
    await presence.comparison.run(new Date());
  });

  test('GRP-10-partial one that never answers is sent the step three times, and then has failed', async () => {
    // With its own server: routers answer late on a busy machine.
    const hasty = await openRolloutFixture({ rollouts: { responseMs: 300 } });
    const group = await hasty.group();
    const [router] = await hasty.routers(group, 1, { onOperate: () => 'silent' });
    await router!.connect();
    const rollout = await hasty.bind('firmware', group, await hasty.firmware('3.0.0'));
    await hasty.becomes(rollout, router!, { state: 'failed', reason: 'no-answer' });
    await hasty.awaitRequests(router!, 3);
    expect(new Set(router!.operations.map(({ key }) => key)).size).toBe(1);
    expect(router!.operations).toHaveLength(3);
    await hasty.close();
  });

  test('GRP-10-partial a download that a power cut ended is sent again, up to a limit', async () => {
    const server = await openRolloutFixture({ rollouts: { responseMs: 300, interruptions: 2 } });
    const group = await server.group();
    const [router] = await server.routers(group, 1);
    await router!.connect();
    const rollout = await server.bind('firmware', group, await server.firmware('3.0.0'));
    const message = 'The operation did not complete before reboot';
    for (const nth of [1, 2]) {
      await server.awaitRequests(router!, nth);
      await router!.boot();
      await router!.complete(router!.operations[nth - 1]!, { message });
      await server.becomes(rollout, router!, { state: 'downloading', phase: 'sent' });
    }
    await server.awaitRequests(router!, 3);
    expect(new Set(router!.operations.map(({ key }) => key)).size).toBe(1);
    await router!.complete(router!.operations[2]!, { message });
    await server.becomes(rollout, router!, { state: 'failed', reason: message });
    await server.close();
  });

  test('GRP-10-partial a slot that runs by now is not written again, though the end of its download was not reported', async () => {
    const router = await one();
    const { label, rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    expect(router.operations[0]!.command).toContain('FirmwareImage.2.');
    router.values.set('Device.DeviceInfo.ActiveFirmwareImage', 'Device.DeviceInfo.FirmwareImage.2');
    router.values.set('Device.DeviceInfo.FirmwareImage.1.Status', 'Available');
    router.values.set('Device.DeviceInfo.FirmwareImage.2.Status', 'Active');
    await router.boot(`SX_${label}`);
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'not-in-force', detail: `SX_${label} ≠ ${label}` });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial an image that does not start is not downloaded again, though nothing but its slot reports that', async () => {
    const router = await one();
    const { rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    const { owner } = fixture.server;
    const takenAt = 'select step_taken_at from rollout_targets where device_id = $1';
    await expect.poll(async () => (await owner.query(takenAt, [router.device])).rows[0]?.step_taken_at).toBeInstanceOf(Date);
    router.values.set('Device.DeviceInfo.FirmwareImage.2.Status', 'ActivationFailed');
    await router.boot();
    await fixture.becomes(rollout, router, { state: 'rolled-back', reason: 'did-not-call-home' });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial a router that restarts with each download and reports no end gets it up to a limit, again from each progress', async () => {
    const server = await openRolloutFixture({ rollouts: { interruptions: 2 } });
    const own = await server.group();
    const [router] = await server.routers(own, 1);
    await router!.connect();
    const rollout = await server.bind('firmware', own, await server.firmware('3.0.0'));
    await server.awaitRequests(router!, 1);
    for (const nth of [2, 3]) {
      await router!.boot();
      await server.awaitRequests(router!, nth);
    }
    await router!.changed('Device.DeviceInfo.FirmwareImage.2.X_HIGHLINE_Progress', '40');
    await server.becomes(rollout, router!, { percent: 40 });
    for (const nth of [4, 5]) {
      await router!.boot();
      await server.awaitRequests(router!, nth);
    }
    await router!.boot();
    await server.becomes(rollout, router!, { state: 'failed', reason: 'no-answer' });
    expect(router!.operations).toHaveLength(5);
    await server.close();
  });

  test('GRP-10-partial a failure that names its cause is not a power cut, also right after one', async () => {
    const router = await one();
    const { rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    await router.boot();
    await router.complete(router.operations[0]!, { message: 'DownloadFailed' });
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'download-failed', step_key: null, attempt: 1 });
    // The restart itself may have sent the step again before the failure arrived, with the same key.
    expect(new Set(router.operations.map(({ key }) => key)).size).toBe(1);
  });

  test('GRP-10-partial one that rejects the command fails with its own message', async () => {
    const router = await one({ onOperate: () => ({ code: 7022, message: 'not today' }) });
    const { rollout } = await bound();
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'not today' });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial one that is busy gives its place to another, and is sent the command again after a pause', async () => {
    const own = await openRolloutFixture({ downloads: 1 });
    const target = await own.group();
    let isBusy = true;
    const [router] = await own.routers(target, 1, {
      onOperate: () => (isBusy ? { code: 7005, message: 'another download runs' } : 'running'),
    });
    await router!.connect();
    const rollout = await own.bind('firmware', target, await own.firmware('3.0.0'));
    await own.becomes(rollout, router!, { state: 'waiting', reason: 'queued', phase: 'idle', attempt: 0, step_key: null });
    const [other] = await own.routers(target, 1);
    await other!.connect();
    await own.awaitRequests(other!, 1);
    expect(router!.operations).toHaveLength(1);
    await other!.complete(other!.operations[0]!, { message: 'DownloadFailed' });
    isBusy = false;
    own.clock.move(61_000);
    await own.awaitRequests(router!, 2);
    await own.becomes(rollout, router!, { state: 'downloading', phase: 'sent', attempt: 1 });
    await own.close();
  });

  test('GRP-10-partial a router of another model is never sent the image', async () => {
    const router = await some(1, { model: 'HL-OTHER' });
    const { rollout } = await bound();
    await router[0]!.connect();
    await fixture.becomes(rollout, router[0]!, { state: 'failed', reason: 'wrong-model', attempt: 0 });
    expect(router[0]!.operations).toEqual([]);
  });

  test('GRP-10-partial an agent without the command reads as unsupported, the others of its group go on', async () => {
    const plain = await one({ commands: [], firmware: '0.9.0' });
    const [able] = await fixture.routers(group, 1);
    await able!.connect();
    const { rollout } = await bound();
    await fixture.becomes(rollout, plain, { state: 'unsupported', reason: 'not-supported', attempt: 0 });
    await fixture.awaitRequests(able!, 1);
    await fixture.becomes(rollout, able!, { state: 'downloading', checked_by: 'sha256' });
    expect(plain.operations).toEqual([]);
  });

  test.each([
    ['', {}, 'canaries-first'],
    [', with waves too', { waves: { rule: 'success', shares: [] } }, 'later-wave'],
  ])('GRP-10-partial a canary without the command holds up nothing: another router goes first%s', async (_, waves, reason) => {
    const plain = await one({ commands: [], firmware: '0.9.0' });
    const reported = `select 1 from routers where device_id = $1 and presence = 'online' and reported ? 'ota'`;
    await expect.poll(async () => (await fixture.server.owner.query(reported, [plain.device])).rows.length).toBe(1);
    const [next, last] = (await fixture.routers(group, 2)) as [GroupRouter, GroupRouter];
    await fixture.server.owner.query(`update routers set reported = reported - 'ota' where device_id = $1`, [plain.device]);
    const { label, rollout } = await bound({ canaries: 1, ...waves });
    await plain.boot();
    await fixture.becomes(rollout, plain, { state: 'unsupported', is_canary: false });
    await Promise.all([next, last].map((router) => router.connect()));
    const first = () => [next, last].filter(({ operations }) => operations.length > 0);
    await expect.poll(() => first().length).toBe(1);
    const [canary] = first() as [GroupRouter];
    const [other] = [next, last].filter((router) => router !== canary) as [GroupRouter];
    await fixture.becomes(rollout, other, { state: 'waiting', reason });
    await canary.complete(canary.operations[0]!);
    await canary.boot(label);
    await fixture.awaitRequests(other, 1);
  });

  test('GRP-10-partial one that finally runs the bound version counts, whatever state was stored', async () => {
    const router = await one();
    const { label, rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    await router.complete(router.operations[0]!, { message: 'DownloadFailed' });
    await fixture.becomes(rollout, router, { state: 'failed' });
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful' });
    await router.boot('1.0.0');
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'not-in-force' });
    expect(router.operations).toHaveLength(1);
  });

  test('GRP-10-partial progress is reported in tens of percent and by stage', async () => {
    const router = await one();
    const { rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    const slot = 'Device.DeviceInfo.FirmwareImage.2.';
    for (const percent of ['3', '37', '39', '-5', '1e9', '<b>']) await router.changed(`${slot}X_HIGHLINE_Progress`, percent);
    await fixture.becomes(rollout, router, { state: 'downloading', percent: 30 });
    await router.changed(`${slot}Status`, 'Validating');
    await fixture.becomes(rollout, router, { state: 'verifying' });
    await router.changed(`${slot}Status`, 'nonsense');
    await router.changed(`${slot}X_HIGHLINE_Progress`, '100');
    await fixture.becomes(rollout, router, { state: 'verifying', percent: 100 });
    expect(await fixture.targets(rollout.id)).toMatchObject([{ state: 'verifying', percent: 100, reason: null }]);
  });
});

describe('spread and stop', () => {
  test('GRP-10-partial no more routers download at once than are allowed; the next follows when one is done', async () => {
    const routers = await some(5);
    await Promise.all(routers.map((router) => router.connect()));
    const { rollout } = await bound();
    await expect.poll(async () => (await fixture.targets(rollout.id)).filter(({ reason }) => reason === 'queued').length).toBe(2);
    const sent = () => routers.filter(({ operations }) => operations.length > 0);
    await expect.poll(() => sent().length).toBe(3);
    await sent()[0]!.complete(sent()[0]!.operations[0]!, { message: 'DownloadFailed' });
    await expect.poll(() => sent().length).toBe(4);
    for (const router of sent()) router.cut();
    // A router that lost its connection occupies no slot.
    await expect.poll(() => sent().length).toBe(5);
  });

  test('GRP-10-partial small config files have places of their own: five for each place of an image, in addition to these', async () => {
    const configs = await some(16);
    await fixture.bind('config', group, await fixture.config('small.cfg'));
    const images = await some(4);
    await bound();
    await Promise.all([...configs, ...images].map((router) => router.connect()));
    const sent = (routers: readonly GroupRouter[]) => routers.filter(({ operations }) => operations.length > 0).length;
    await expect.poll(() => [sent(configs), sent(images)]).toEqual([15, 3]);
    const [first] = configs.filter(({ operations }) => operations.length > 0);
    await first!.complete(first!.operations[0]!, { message: 'DownloadFailed' });
    await expect.poll(() => [sent(configs), sent(images)]).toEqual([16, 3]);
  });

  /** A rollout whose canary is the first of three routers. */
  async function boundWithCanary() {
    const [first, ...others] = (await some(3)) as [GroupRouter, ...GroupRouter[]];
    await first.connect();
    await expect
      .poll(
        async () =>
          (await fixture.call<{ presence: string }[]>('GET', `/data_manager/v1/dm/group/${group}/devices?limit=10`)).filter(
            ({ presence }) => presence === 'online',
          ).length,
      )
      .toBe(1);
    const { label, rollout } = await bound({ canaries: 1 });
    await Promise.all(others.map((router) => router.connect()));
    for (const router of others) await fixture.becomes(rollout, router, { state: 'waiting', reason: 'canaries-first' });
    await fixture.awaitRequests(first, 1);
    return { first, others, label, rollout };
  }

  test('GRP-10-partial canaries go first, the others when all canaries are successful', async () => {
    const { first, others, label } = await boundWithCanary();
    await first.complete(first.operations[0]!);
    await first.boot(label);
    await expect.poll(() => others.map(({ operations }) => operations.length)).toEqual([1, 1]);
  });

  test('GRP-10-partial the others also follow when the last canary is deleted before it was successful', async () => {
    const { first, others } = await boundWithCanary();
    await fixture.call('DELETE', '/data_manager/v1/dm/devices', { devices: [first.device] });
    await expect.poll(() => others.map(({ operations }) => operations.length)).toEqual([1, 1]);
  });

  test('GRP-10-partial a rollout with too many failures pauses itself, and continues when a user resumes it', async () => {
    const routers = await some(8);
    await Promise.all(routers.map((router) => router.connect()));
    const { rollout } = await bound({ failureThreshold: 50 });
    const failed = new Set<GroupRouter>();
    const failNext = async () => {
      const next = () => routers.find((router) => router.operations.length > 0 && !failed.has(router));
      await expect.poll(() => next() !== undefined).toBe(true);
      const router = next()!;
      failed.add(router);
      await router.complete(router.operations[0]!, { message: 'DownloadFailed' });
    };
    for (let round = 0; round < 5; round++) await failNext();
    await expect.poll(async () => (await fixture.rollout(group)).pausedReason).toBe('threshold');
    const log = await fixture.server.owner.query(
      'select action, actor_email from audit_entries where chain_id = $1 order by seq desc limit 1',
      [fixture.scope.organizationId],
    );
    expect(log.rows[0]).toMatchObject({
      action: expect.stringMatching(/^Paused the rollout of .*: 5 of 5 routers failed$/u),
      actor_email: 'Highline',
    });
    const waiting = (await fixture.targets(rollout.id)).filter(({ state }) => state === 'waiting');
    for (const { reason } of waiting) expect(reason).toBe('paused');
    await fixture.control(rollout.id, 'resume');
    await expect.poll(async () => (await statesOf()).waiting).toBe(0);
    expect(await fixture.rollout(group)).toMatchObject({ state: 'running', pausedReason: null });
  });

  test('GRP-10-partial a rollout for the next boot that pauses itself starts no further router: their choices are reverted', async () => {
    const routers = await some(6);
    await Promise.all(routers.map((router) => router.connect()));
    const { rollout } = await bound({ schedule: 'bootup', failureThreshold: 50 });
    for (const router of routers) {
      await fixture.awaitRequests(router, 1);
      await router.complete(router.operations[0]!);
      await fixture.becomes(rollout, router, { phase: 'staged' });
    }
    const next = routers.pop()!;
    await Promise.all(routers.map((router) => router.boot('0.9.9')));
    await expect.poll(async () => (await fixture.rollout(group)).pausedReason).toBe('threshold');
    await fixture.becomes(rollout, next, { phase: 'downloaded', state: 'waiting', reason: 'paused' });
    expect(next.valueOf('Device.DeviceInfo.BootFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.1');
  });

  test('GRP-10-partial a rollout pauses itself after the next start when the server ended right after it recorded the failures', async () => {
    const routers = await some(6);
    const next = routers.pop()!;
    const { rollout } = await bound({ failureThreshold: 50 });
    // As the pass commits it.
    await fixture.server.owner.query(
      `update rollout_targets set state = 'failed', reason = 'download-failed', attempt = 1, updated_at = $1
        where binding_id = $2 and device_id <> $3`,
      [fixture.clock.now(), rollout.id, next.device],
    );
    await fixture.restart();
    await expect.poll(() => fixture.rollout(group)).toMatchObject({ state: 'paused', pausedReason: 'threshold' });
    await next.connect(fixture.address());
    await fixture.becomes(rollout, next, { state: 'waiting', reason: 'paused' });
    expect(next.operations).toEqual([]);
  });

  test('GRP-10-partial paused, nothing begins and what is under way ends; cancelled, nothing begins any more', async () => {
    const [under, later] = (await some(2)) as [GroupRouter, GroupRouter];
    await under.connect();
    const { label, rollout } = await bound();
    await fixture.awaitRequests(under, 1);
    await fixture.control(rollout.id, 'pause');
    await later.connect();
    await fixture.becomes(rollout, later, { state: 'waiting', reason: 'paused' });
    await under.complete(under.operations[0]!);
    await under.boot(label);
    await fixture.becomes(rollout, under, { state: 'successful' });
    await fixture.control(rollout.id, 'cancel');
    await expect(fixture.control(rollout.id, 'resume')).rejects.toThrow('rollout.ended');
    const reasons = async () => (await fixture.targets(rollout.id)).map(({ reason }) => reason);
    expect(await reasons()).toEqual(['cancelled', null]);
    await later.boot();
    await fixture.becomes(rollout, later, { state: 'waiting', reason: 'cancelled' });
    expect(later.operations).toEqual([]);
    const again = await fixture.bind('firmware', group, rollout.profile);
    expect(again.id).not.toBe(rollout.id);
    await fixture.awaitRequests(later, 1);
  });
});

describe('in mid-rollout', () => {
  test('GRP-10-partial a stored step that never reached its router is sent when the router is back', async () => {
    let isSilent = true;
    const router = await one({ onOperate: () => (isSilent ? 'silent' : 'running') });
    const { label, rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    await fixture.restart();
    isSilent = false;
    await router.connect(fixture.address());
    await fixture.awaitRequests(router, 2);
    expect(router.operations[1]).toMatchObject({
      key: router.operations[0]!.key,
      args: { Password: router.operations[0]!.args['Password'] },
    });
    await router.complete(router.operations[1]!);
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful', attempt: 1 });
  });

  test('GRP-10-partial a server that ends and starts again continues with the same step', async () => {
    const router = await one();
    const { label, rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    await fixture.restart();
    await router.connect(fixture.address());
    await router.boot();
    await fixture.awaitRequests(router, 2);
    expect(router.operations[1]!.key).toBe(router.operations[0]!.key);
    expect(router.operations[1]!.args['Password']).toBe(router.operations[0]!.args['Password']);
    await router.complete(router.operations[0]!);
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful', attempt: 1 });
  });

  test('GRP-10-partial GRP-04-partial after the binding is removed, events of its step are ignored; bound again, another step begins', async () => {
    const router = await one();
    await bound();
    await fixture.awaitRequests(router, 1);
    await fixture.call('DELETE', `/data_manager/v1/binding/group/firmware?group=${group}&mode=all`);
    await router.complete(router.operations[0]!);
    expect(await fixture.rollout(group)).toBeUndefined();
    const { label, rollout } = await bound();
    await fixture.awaitRequests(router, 2);
    await router.complete(router.operations[1]!);
    await router.boot(label);
    await fixture.becomes(rollout, router, { state: 'successful' });
  });

  test('GRP-10-partial a router that joins the group gets what is bound, one that leaves keeps what it has', async () => {
    const router = await one();
    const { rollout } = await bound();
    await fixture.awaitRequests(router, 1);
    const elsewhere = await fixture.group();
    await fixture.call('PATCH', '/data_manager/v1/dm/device', { device: router.device, group: elsewhere });
    expect((await fixture.rollout(group)).total).toBe(0);
    await router.complete(router.operations[0]!);
    await fixture.call('PATCH', '/data_manager/v1/dm/device', { device: router.device, group });
    await fixture.awaitRequests(router, 2);
    await fixture.becomes(rollout, router, { state: 'downloading', attempt: 1 });
  });
});
