import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Traits } from '@highline/testkit/agent';
import { agentKinds, startStrictAgent, type AgentUnderTest, type RunningStrictAgent } from '../testing/agents.ts';
import { send } from '../testing/call.ts';
import { openRolloutFixture, type GroupMember, type RolloutFixture } from '../testing/rollouts.ts';

// Whole flows, from a call to a router and back: with our own agent, and with one that supports only the standard.

const COMMANDS = '/data_manager/v1/dm/commands';

let fixture: RolloutFixture;
let group: string;
let router: GroupMember;
let version = 0;
const running: AgentUnderTest[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture({ rollouts: { responseMs: 2_000 } });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  group = await fixture.group();
  [router] = (await fixture.members(group, 1)) as [GroupMember];
});
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

function run<T extends AgentUnderTest>(agent: T): T {
  running.push(agent);
  return agent;
}
const strict = (traits: Partial<Traits> = {}): RunningStrictAgent => run(startStrictAgent(fixture.address(), router, traits));

/** An image that both kinds of agent accept: signed for one, with a header for the other. */
async function newFirmware(): Promise<{ readonly label: string; readonly pk: string }> {
  const label = `3.0.${++version}`;
  const payload = Buffer.concat([Buffer.from(`STRICT-IMAGE ${label}\n`), Buffer.alloc(100_000, 'x')]);
  return { label, pk: await fixture.firmware(label, 'HL-R320', payload) };
}

async function deviceRow(): Promise<Record<string, unknown>> {
  const { rows } = await fixture.server.owner.query('select * from devices where id = $1', [router.device]);
  return rows[0];
}

async function runCommand(kind: string, argument = ''): Promise<{ readonly outcome: string; readonly code: number | null }> {
  const { id } = await fixture.call<{ id: string }>('POST', COMMANDS, { name: `${kind} ${++version}`, kind, argument });
  return fixture.call('POST', `${COMMANDS}/${id}/run`, { device: router.device });
}

/** Status and answer of a password reset. */
async function resetPassword(): Promise<[status: number, response: unknown]> {
  const { seeding, url } = fixture.server;
  const bearer = await seeding.bearer(await seeding.account(fixture.scope, `reset-${++version}@highline.invalid`, 'admin'));
  const response = await send(`${url}/data_manager/v1/dm/cmds/resetGuiPassword`, { bearer, body: { serial: router.serial } });
  return [response.status, response.json()];
}

describe.each(agentKinds)('$name', (kind) => {
  const start = () => run(kind.start(fixture.address(), router));

  test('GRP-10-partial fetches firmware that is bound now, verifies it, starts it, and counts as successful', async () => {
    start();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online', firmware: kind.firmware });
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk);
    await fixture.becomes(rollout, router, { state: 'successful', percent: 100 });
    await expect.poll(deviceRow).toMatchObject({ firmware: label, presence: 'online' });
    expect((await fixture.rollout(group)).states).toMatchObject({ successful: 1 });
  });

  test('GRP-10-partial installs firmware that is bound for the next boot, and starts it then', async () => {
    const agent = start();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    const { label, pk } = await newFirmware();
    const rollout = await fixture.bind('firmware', group, pk, { schedule: 'bootup' });
    await fixture.becomes(rollout, router, { state: 'waiting', reason: 'next-boot', phase: 'staged' });
    await expect.poll(deviceRow).toMatchObject({ firmware: kind.firmware });
    agent.reboot();
    await fixture.becomes(rollout, router, { state: 'successful' });
    await expect.poll(deviceRow).toMatchObject({ firmware: label });
  });

  test('GRP-10-partial restores a config file, and shows its name', async () => {
    start();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    const rollout = await fixture.bind('config', group, await fixture.config(`fleet-${++version}.cfg`));
    await fixture.becomes(rollout, router, { state: 'successful' });
    await expect.poll(deviceRow).toMatchObject({ config: `fleet-${version}.cfg` });
  });

  test('GRP-10-partial that was offline gets both files when it reconnects, one after the other', async () => {
    const { label, pk } = await newFirmware();
    const firmware = await fixture.bind('firmware', group, pk);
    const config = await fixture.bind('config', group, await fixture.config(`late-${version}.cfg`));
    await fixture.becomes(firmware, router, { state: 'waiting' });
    start();
    await fixture.becomes(firmware, router, { state: 'successful' });
    await fixture.becomes(config, router, { state: 'successful' });
    await expect.poll(deviceRow).toMatchObject({ firmware: label, config: `late-${version}.cfg` });
  });

  test('OLD-03-partial executes what the standard has a command or a parameter for', async () => {
    start();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    const done = { outcome: 'done' };
    expect(await runCommand('name', 'Bus 7')).toMatchObject(done);
    expect(await runCommand('roaming', 'true')).toMatchObject(done);
    expect(await runCommand('zone', 'CST6CDT')).toMatchObject(done);
    expect(await runCommand('report')).toMatchObject(done);
    expect(await runCommand('reboot')).toMatchObject(done);
    await expect
      .poll(
        async () =>
          (
            await fixture.server.owner.query(
              "select 1 from connectivity where kind = 'boot' and reason = 'RemoteReboot' and router_id = (select router_id from devices where id = $1)",
              [router.device],
            )
          ).rowCount,
      )
      .toBe(1);
  });

  test('DEV-08-partial is set up again after a factory reset', async () => {
    const agent = start();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    agent.resetToFactory();
    // The end of a config restore is known only if the subscription to command ends exists again.
    const rollout = await fixture.bind('config', group, await fixture.config(`reset-${++version}.cfg`));
    await fixture.becomes(rollout, router, { state: 'successful' });
  });
});

describe('a strict agent of a given kind', () => {
  test('NTF-02-partial that was reset by its button without a notification is mailed once', async () => {
    const mail = `reset-${++version}@partner.example`;
    await fixture.call('POST', '/data_manager/v1/notify/user', { mail, events: ['DEVICE_FACTORY_RESET'] });
    const { agent } = strict();
    const known = "select 1 from routers where serial = $1 and reported ->> 'subscribed' = 'true'";
    await expect.poll(async () => (await fixture.server.owner.query(known, [router.serial])).rowCount).toBe(1);
    agent.resetToFactory();
    // Another router's reset, of the test before, may be mailed as late as now.
    const mails = async () => (await fixture.server.mailsTo(mail)).filter(({ plain }) => plain.includes(router.serial));
    await expect.poll(mails).toHaveLength(1);
    // Another start is no reset.
    agent.reboot();
    await expect.poll(() => agent.count('connected')).toBe(3);
    await expect.poll(() => agent.unacknowledged).toBe(0);
    expect(await mails()).toHaveLength(1);
  });

  test.each([[[]], [['OperationComplete']]])(
    'GRP-10-partial that rejects a transfer in its answer ends the step at once, also if it reports no ends of commands (%j)',
    async (rejectedNotifications) => {
      const { agent } = strict({ rejectsTransfers: true, rejectedNotifications });
      await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
      const failed = { state: 'failed', reason: 'the storage is locked' } as const;
      const config = await fixture.bind('config', group, await fixture.config(`locked-${++version}.cfg`));
      await fixture.becomes(config, router, failed);
      const firmware = await fixture.bind('firmware', group, (await newFirmware()).pk);
      await fixture.becomes(firmware, router, failed);
      expect(agent.subscriptions.includes('highline-operations')).toBe(rejectedNotifications.length === 0);
      expect(agent.commands).toHaveLength(2);
    },
  );

  test('GRP-10-partial that loses power during a transfer gets the step again, for firmware and for a config file', async () => {
    const first = strict({ stallAfterBytes: 1 });
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    const { label, pk } = await newFirmware();
    const firmware = await fixture.bind('firmware', group, pk);
    await expect.poll(() => first.agent.count('stalled')).toBe(1);
    first.cutPower();
    await fixture.becomes(firmware, router, { state: 'successful', attempt: 1 });
    await expect.poll(deviceRow).toMatchObject({ firmware: label });
    await first.stop();

    const second = strict({ stallAfterBytes: 1, hasTransferEvents: false, firmware: label });
    await expect.poll(deviceRow).toMatchObject({ presence: 'online', config: 'factory.xml' });
    const config = await fixture.bind('config', group, await fixture.config(`cut-${version}.cfg`));
    await expect.poll(() => second.agent.count('stalled')).toBe(1);
    second.cutPower();
    await fixture.becomes(config, router, { state: 'successful', attempt: 1 });
  });

  test('GRP-10-partial that has no firmware images is unsupported for firmware, and gets its config file', async () => {
    strict({ hasFirmwareImages: false, hasBulkData: false, hasTransferEvents: false });
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    const firmware = await fixture.bind('firmware', group, (await newFirmware()).pk);
    await fixture.becomes(firmware, router, { state: 'unsupported' });
    const config = await fixture.bind('config', group, await fixture.config(`only-${version}.cfg`));
    await fixture.becomes(config, router, { state: 'successful' });
  });

  test('GRP-10-partial that rejects an image fails with its own message and keeps its firmware', async () => {
    strict();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    const rollout = await fixture.bind('firmware', group, await fixture.firmware(`4.0.${++version}`));
    await fixture.becomes(rollout, router, { state: 'failed', reason: 'the file is not an image for this router' });
    await expect.poll(deviceRow).toMatchObject({ firmware: '1.0.0' });
  });

  test.each(['result', 'error'] as const)(
    'OLD-03-partial that rejects an unsupported %s reports it, and readings are read where it cannot send them',
    async (rejectsCommandsBy) => {
      const { agent } = strict({ rejectsCommandsBy });
      await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
      expect(await runCommand('identify', '30')).toMatchObject({ outcome: 'unsupported' });
      agent.change('Device.Cellular.Interface.1.RSSI', '-97');
      expect(await runCommand('report')).toMatchObject({ outcome: 'done' });
      const latest =
        'select rssi from telemetry_reports where rssi = -97 and router_id = (select router_id from devices where id = $1)';
      await expect.poll(async () => (await fixture.server.owner.query(latest, [router.device])).rows.length).toBeGreaterThan(0);
      expect(agent.commands).toEqual([]);
    },
  );

  test('RMT-06-partial resets its password if it supports that; otherwise the call reports it and sends nothing', async () => {
    const able = strict({ hasPasswordReset: true });
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    expect(await resetPassword()).toEqual([200, { result: { reset: true } }]);
    expect(able.agent.commands).toEqual(['Device.UserInterface.PasswordReset()']);
    await able.stop();
    await expect.poll(deviceRow).toMatchObject({ presence: 'offline' });

    const unable = strict();
    await expect.poll(deviceRow).toMatchObject({ presence: 'online' });
    expect(await resetPassword()).toMatchObject([409, { error: { key: 'remote.reset_unsupported' } }]);
    expect(unable.agent.commands).toEqual([]);
  });
});
