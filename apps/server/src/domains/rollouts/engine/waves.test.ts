import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../../testing/rollouts.ts';

// Rollouts that begin with chosen routers and go on in waves, with real connections (WIN-01).

let fixture: RolloutFixture;
let group: string;
let version = 0;

beforeAll(async () => {
  fixture = await openRolloutFixture({ rollouts: { restartMs: 60_000 } });
});
afterEach(() => fixture.cutAll());
afterAll(() => fixture.close());

async function some(count: number): Promise<GroupRouter[]> {
  group = await fixture.group();
  const routers = await fixture.routers(group, count);
  await Promise.all(routers.map((router) => router.connect()));
  await expect.poll(async () => (await online()).length).toBe(count);
  return routers;
}
const online = async () => {
  const sql = `select 1 from devices where group_key = $1 and presence = 'online'`;
  return (await fixture.server.owner.query(sql, [group])).rows;
};
async function bound(more: Record<string, unknown>) {
  const label = `5.0.${++version}`;
  return { label, rollout: await fixture.bind('firmware', group, await fixture.firmware(label), more) };
}
const waves = async () => (await fixture.rollout(group)).waves;
async function succeed(router: GroupRouter, label: string): Promise<void> {
  await fixture.awaitRequests(router, 1);
  await router.complete(router.operations[0]!);
  await router.boot(label);
}
const openTo = (rollout: string, wave: number) =>
  fixture.call('POST', '/data_manager/v1/binding/group/rollout', { rollout, action: 'wave', wave });
const HOUR_MS = 3_600_000;

describe('waves of a rollout', () => {
  test('WIN-01-partial what a wave that is cut back has ready for the next boot is not started, nor what it still downloads', async () => {
    const [chosen, ...others] = (await some(3)) as [GroupRouter, ...GroupRouter[]];
    const { rollout } = await bound({
      first: { devices: [chosen.serial] },
      waves: { rule: 'person', shares: [] },
      schedule: 'bootup',
    });
    await openTo(rollout.id, 1);
    for (const router of others) await fixture.awaitRequests(router, 1);
    const [ready, downloading] = others as [GroupRouter, GroupRouter];
    await ready.complete(ready.operations[0]!);
    await fixture.becomes(rollout, ready, { phase: 'staged', reason: 'next-boot' });
    await openTo(rollout.id, 0);
    await downloading.complete(downloading.operations[0]!);
    for (const router of others) {
      await fixture.becomes(rollout, router, { phase: 'downloaded', state: 'waiting', reason: 'later-wave' });
      expect(router.valueOf('Device.DeviceInfo.BootFirmwareImage')).toBe('Device.DeviceInfo.FirmwareImage.1');
    }
    await openTo(rollout.id, 1);
    for (const router of others) await fixture.becomes(rollout, router, { phase: 'staged', reason: 'next-boot' });
  });

  test('WIN-01-partial chosen vehicles go first, alone; a person lets the others follow, and cuts back', async () => {
    const [chosen, ...others] = (await some(3)) as [GroupRouter, ...GroupRouter[]];
    const { label, rollout } = await bound({ first: { devices: [chosen.serial] }, waves: { rule: 'person', shares: [50] } });
    expect(rollout.waves).toMatchObject({ open: 0, waits: 'person', waves: [{ routers: 1 }, { routers: 1 }, { routers: 1 }] });
    await succeed(chosen, label);
    await fixture.becomes(rollout, chosen, { state: 'successful' });
    for (const router of others) await fixture.becomes(rollout, router, { state: 'waiting', reason: 'later-wave' });
    await openTo(rollout.id, 2);
    for (const router of others) await fixture.awaitRequests(router, 1);
    await openTo(rollout.id, 1);
    expect(await waves()).toMatchObject({ open: 1, rule: 'person', waits: 'person' });
    const { rows } = await fixture.server.owner.query<{ action: string }>(
      'select action from audit_entries where chain_id = $1 order by seq desc limit 2',
      [fixture.scope.organizationId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      `Cut the rollout of ${label} back to wave 2 of 3`,
      `Continued the rollout of ${label} with wave 3 of 3`,
    ]);
  });

  test('WIN-01-partial the next wave begins by itself after hours without a failure, also when the server was restarted, and not after a failure', async () => {
    const [one, two, three] = (await some(3)) as [GroupRouter, GroupRouter, GroupRouter];
    const { label, rollout } = await bound({
      first: { devices: [one.device] },
      waves: { rule: 'hours', hours: 4, shares: [50] },
    });
    await succeed(one, label);
    await fixture.becomes(rollout, one, { state: 'successful' });
    expect(await waves()).toMatchObject({ open: 0, waits: 'hours', next: expect.any(Number) });
    await fixture.restart();
    await Promise.all([one, two, three].map((router) => router.connect(fixture.address())));
    fixture.clock.move(4 * HOUR_MS);
    await expect.poll(async () => (await waves())?.open).toBe(1);
    const started = () => [two, three].filter(({ operations }) => operations.length > 0);
    await expect.poll(() => started().length).toBe(1);
    const [second] = started() as [GroupRouter];
    await second.complete(second.operations[0]!, { message: 'DownloadFailed' });
    await fixture.becomes(rollout, second, { state: 'failed' });
    fixture.clock.move(9 * HOUR_MS);
    expect(await waves()).toMatchObject({ open: 1, waits: 'failure', next: null });
    // A person may go on all the same.
    await openTo(rollout.id, 2);
    await expect.poll(() => started().length).toBe(2);
  });

  test('WIN-01-partial when those that go first are deleted meanwhile, the others wait for a person instead of following untested', async () => {
    const [first, other] = (await some(2)) as [GroupRouter, GroupRouter];
    first.cut();
    await expect.poll(async () => (await online()).length).toBe(1);
    const { rollout } = await bound({ first: { devices: [first.serial] } });
    await fixture.becomes(rollout, other, { state: 'waiting', reason: 'later-wave' });
    await fixture.call('DELETE', '/data_manager/v1/dm/devices', { devices: [first.device] });
    await expect.poll(waves).toMatchObject({ open: 0, waits: 'empty' });
    await other.boot();
    await fixture.becomes(rollout, other, { state: 'waiting', reason: 'later-wave' });
    await openTo(rollout.id, 1);
    await fixture.awaitRequests(other, 1);
  });

  test('WIN-01-partial a wave without routers is passed over, also where a person continues each', async () => {
    const [first, other] = (await some(2)) as [GroupRouter, GroupRouter];
    const { label, rollout } = await bound({ first: { devices: [first.device] }, waves: { rule: 'person', shares: [10, 50] } });
    expect(rollout.waves).toMatchObject({ open: 0, waves: [{ routers: 1 }, { routers: 1 }, { routers: 0 }, { routers: 0 }] });
    await succeed(first, label);
    await fixture.becomes(rollout, first, { state: 'successful' });
    await openTo(rollout.id, 1);
    await fixture.awaitRequests(other, 1);
    expect(await waves()).toMatchObject({ open: 1, waits: 'person' });
    await openTo(rollout.id, 2);
    expect(await waves()).toMatchObject({ open: 3, waits: null });
    await openTo(rollout.id, 2);
    expect(await waves()).toMatchObject({ open: 1, waits: 'person' });
  });

  test('WIN-01-partial routers without the command hold up no wave, and are not chosen to go first', async () => {
    const [able, other] = (await some(2)) as [GroupRouter, GroupRouter];
    const [plain] = (await fixture.routers(group, 1, { commands: [], firmware: '0.9.0' })) as [GroupRouter];
    await plain.connect();
    await expect.poll(async () => (await online()).length).toBe(3);
    await expect
      .poll(
        async () =>
          (await fixture.server.owner.query(`select 1 from routers where device_id = $1 and reported ? 'ota'`, [plain.device]))
            .rows.length,
      )
      .toBe(1);
    await fixture.server.owner.query('update devices set health = 20 where id = any ($1)', [[able.device, other.device]]);
    const chosen = await bound({ canaries: 2 });
    for (const router of [able, other]) await fixture.awaitRequests(router, 1);
    await fixture.becomes(chosen.rollout, plain, { state: 'unsupported', is_canary: false });
    const { label, rollout } = await bound({ first: { devices: [plain.device, able.device] } });
    await fixture.becomes(rollout, plain, { state: 'unsupported' });
    await fixture.becomes(rollout, other, { state: 'waiting', reason: 'later-wave' });
    await fixture.awaitRequests(able, 2);
    await able.complete(able.operations[1]!);
    await able.boot(label);
    await fixture.awaitRequests(other, 2);
  });

  test('WIN-01-partial routers that have a problem are not chosen to go first while others are connected', async () => {
    const routers = await some(3);
    await fixture.server.owner.query('update devices set health = 20 where id = $1', [routers[0]!.device]);
    await fixture.server.owner.query(
      `insert into device_diagnoses (organization_id, main_account_id, device_id, kind, number, is_first, since, computed_at, evidence)
       select organization_id, main_account_id, id, 'antenna', 30, true, now(), now(), '{}' from devices where id = $1`,
      [routers[1]!.device],
    );
    const { rollout } = await bound({ canaries: 1 });
    await fixture.awaitRequests(routers[2]!, 1);
    for (const router of routers.slice(0, 2)) await fixture.becomes(rollout, router, { reason: 'canaries-first' });
    expect(routers.map(({ operations }) => operations.length)).toEqual([0, 0, 1]);
  });
});

describe('windows of a rollout', () => {
  const everyDay = [0, 1, 2, 3, 4, 5, 6];
  /** Minutes of the clock of UTC, from now. */
  const inMinutes = (minutes: number) => new Date(fixture.clock.now().getTime() + minutes * 60_000).toISOString().slice(11, 16);

  test('WIN-02-partial routers begin within the hours of the window, and say until then what they wait for', async () => {
    const [router] = (await some(1)) as [GroupRouter];
    const hours = [{ days: everyDay, from: inMinutes(60), until: inMinutes(120) }];
    const { label, rollout } = await bound({ window: { zone: 'UTC', hours } });
    expect(rollout.window).toEqual({ zone: 'UTC', hours });
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'window-hours' });
    fixture.clock.move(61 * 60_000);
    await succeed(router, label);
    await fixture.becomes(rollout, router, { state: 'successful' });
  });

  test('WIN-02-partial a vehicle waits for its place, until it stands still and for its voltage, and begins once they hold', async () => {
    const [router] = (await some(1)) as [GroupRouter];
    const { owner } = fixture.server;
    const id = `(select router_id from devices where id = '${router.device}')`;
    const window = { zone: 'UTC', stillMinutes: 5, minVoltage: 12 };
    const { rollout } = await bound({ window });
    const at = (minutes: number) => new Date(fixture.clock.now().getTime() + minutes * 60_000).toISOString();
    const looksAgain = () => fixture.clock.move(3 * 60_000);
    await fixture.becomes(rollout, router, { reason: 'window-no-position' });
    await owner.query(
      `insert into router_positions (router_id, at, latitude, longitude, speed, is_jump, stored_at)
       values (${id}, '${at(-60)}', 41.9, -87.6, 50, false, '${at(0)}')`,
    );
    looksAgain();
    await fixture.becomes(rollout, router, { reason: 'window-moving' });
    await owner.query(`update router_positions set speed = 0 where router_id = ${id}`);
    looksAgain();
    await fixture.becomes(rollout, router, { reason: 'window-no-voltage' });
    expect(router.operations).toEqual([]);
    await owner.query(`insert into telemetry_reports (router_id, at, voltage) values (${id}, '${at(-2)}', 11.5)`);
    looksAgain();
    await fixture.becomes(rollout, router, { reason: 'window-voltage' });
    await owner.query(`insert into telemetry_reports (router_id, at, voltage) values (${id}, '${at(-1)}', 12.5)`);
    looksAgain();
    await fixture.awaitRequests(router, 1);
  });
});
