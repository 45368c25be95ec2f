import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { sentCommands } from '@highline/contract';
import { send as sendCall } from '../../testing/call.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../testing/rollouts.ts';

// A whole server, and test agents over the real protocol.

const COMMANDS = '/data_manager/v1/dm/device/commands';
const HOUR = 3_600_000;

let fixture: RolloutFixture;
beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());

type Sent = sentCommands.SentCommand;
type Choice = Parameters<RolloutFixture['routers']>[2];

/** A router that is not connected; by default what it is sent runs until the test reports its end. */
async function offline(choice: Choice = {}): Promise<GroupRouter> {
  const [router] = await fixture.routers(await fixture.group(), 1, choice);
  return router!;
}
async function online(choice: Choice = {}): Promise<GroupRouter> {
  const router = await offline(choice);
  await router.connect();
  await isOnline(router);
  return router;
}
const isOnline = async ({ device }: GroupRouter) => {
  await expect.poll(async () => (await row('devices', device))['presence']).toBe('online');
};

const subscribed = async ({ device }: GroupRouter) => {
  const { rows } = await fixture.server.owner.query<{ subscribed: boolean | null }>(
    "select (r.reported -> 'subscribed')::boolean as subscribed from routers r join devices d on d.router_id = r.id where d.id = $1",
    [device],
  );
  return rows[0]!.subscribed;
};

async function row(table: 'devices' | 'sent_commands', id: string): Promise<Record<string, unknown>> {
  const { rows } = await fixture.server.owner.query<Record<string, unknown>>(`select * from ${table} where id = $1`, [id]);
  return rows[0]!;
}

const send = ({ device }: { readonly device: string }, body: object) =>
  fixture.call<Sent>('POST', COMMANDS, { org: fixture.scope.organizationId, device, ...body });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
const cancel = (id: string) => fixture.call<Sent>('POST', `${COMMANDS}/${id}/cancel`, { org: fixture.scope.organizationId });
const becomes = async (id: string, expected: object) => {
  await expect.poll(() => row('sent_commands', id)).toMatchObject(expected);
};
const names = (router: GroupRouter) => router.operations.map(({ command }) => command);

/** Actions of the log about a device, the oldest first. */
async function logOf({ device }: GroupRouter): Promise<string[]> {
  const { rows } = await fixture.server.owner.query<{ action: string; actor_email: string }>(
    `select e.action, e.actor_email from audit_devices m join audit_entries e on e.chain_id = m.chain_id and e.seq = m.seq
      where m.device_id = $1 and e.action like '%ommand%' order by e.seq`,
    [device],
  );
  return rows.map(({ action }) => action);
}

/** To another organization of the main account. */
async function transfer({ serial }: GroupRouter): Promise<void> {
  const { server, clock, scope } = fixture;
  const main = { kind: 'main', mainAccountId: scope.mainAccountId } as const;
  const { organizationId: target } = await server.seeding.organization(main, 'Receiver');
  const person = await server.seeding.account(main, 'mover@highline.invalid', 'main');
  const bearer = await server.seeding.bearer(person);
  await server.owner.query('update sessions set created_at = $1, last_used_at = $1 where account_id = $2', [clock.now(), person]);
  const response = await sendCall(`${server.url}/data_manager/v1/dm/org/device`, { bearer, body: { target, serials: [serial] } });
  expect(response.status, response.text).toBe(200);
}

describe('LIV-01 LIV-09 commands of routers', () => {
  test('a connected router gets it at once, and its answer, end and log entries are written', async () => {
    const router = await online();
    const { id, state } = await send(router, { kind: 'reboot' });
    expect(state).toBe('waiting');
    await becomes(id, { state: 'running' });
    expect(router.operations).toEqual([{ command: 'Device.Reboot()', key: id, args: {} }]);
    await router.complete(router.operations[0]!);
    await becomes(id, { state: 'done', due_at: null });
    // The router repeats the end: it is acknowledged, and changes nothing.
    await router.complete(router.operations[0]!, { message: 'late' });
    await becomes(id, { state: 'done', reason: null });
    const { serial } = router;
    expect(await logOf(router)).toEqual([`Sent command Restart to device ${serial}`, `Ran command Restart on device ${serial}`]);
  });

  test.each([
    [
      { code: 7026, message: 'no such command' },
      { state: 'failed', reason: 'unsupported', message: 'no such command' },
    ],
    [
      { code: 7006, message: 'not\n<b>here</b>\u202e' },
      { state: 'failed', reason: 'rejected', message: 'not <b>here</b>' },
    ],
    [
      { code: 7022, message: '' },
      { state: 'failed', reason: 'failed', message: null },
    ],
  ])('the failure %o of a router is kept with its cause and message', async (failure, expected) => {
    const router = await online({ onOperate: () => failure });
    const { id } = await send(router, { kind: 'identify', argument: '30' });
    await becomes(id, expected);
    expect(names(router)).toEqual(['Device.X_HIGHLINE_Identify()']);
  });

  test('a router that is off gets it when it connects, once; those behind it follow in their order', async () => {
    const router = await offline();
    expect(await errorOf(send(router, { kind: 'reboot' }))).toContain('command.offline');
    const first = await send(router, { kind: 'identify', argument: '5', wait: 24 });
    const second = await send(router, { kind: 'reboot', wait: 1 });
    await router.connect();
    await fixture.awaitRequests(router, 1);
    await becomes(first.id, { state: 'running' });
    await becomes(second.id, { state: 'waiting' });
    await router.complete(router.operations[0]!);
    await fixture.awaitRequests(router, 2);
    await router.complete(router.operations[1]!);
    await becomes(second.id, { state: 'done' });
    expect(router.operations.map(({ key }) => key)).toEqual([first.id, second.id]);
    const { serial } = router;
    expect(await logOf(router)).toEqual([
      `Left command Blink the LEDs waiting for device ${serial}`,
      `Left command Restart waiting for device ${serial}`,
      `Ran command Blink the LEDs on device ${serial}`,
      `Ran command Restart on device ${serial}`,
    ]);
  });

  test('WIN-02-partial with a window it says what it waits for, holds up no other, and is sent once the window is open', async () => {
    const router = await online();
    const report = (ignition: string) =>
      fixture.server.owner.query(
        'update routers r set reported = r.reported || $2 from devices d where d.id = $1 and r.id = d.router_id',
        [router.device, JSON.stringify({ ignition })],
      );
    const window = { zone: 'UTC', ignitionOffMinutes: 10 };
    expect(await errorOf(send(router, { kind: 'reboot', window }))).toContain('request.invalid');
    expect(await errorOf(send(router, { kind: 'reboot', window: { zone: 'UTC' }, wait: 1 }))).toContain('binding.window');
    await report('on');
    const { id } = await send(router, { kind: 'reboot', window, wait: 24 });
    await becomes(id, { state: 'waiting', reason: 'window-ignition' });
    const other = await send(router, { kind: 'identify', argument: '5' });
    await becomes(other.id, { state: 'running' });
    await router.complete(router.operations[0]!);
    await becomes(other.id, { state: 'done' });
    await report('off');
    fixture.clock.move(61_000);
    await becomes(id, { state: 'running', reason: null });
    expect(router.operations[1]).toMatchObject({ command: 'Device.Reboot()', key: id });
    await router.complete(router.operations[1]!);
    await becomes(id, { state: 'done' });
    const late = await send(router, { kind: 'reboot', window: { zone: 'UTC', uplinks: ['satellite'] }, wait: 1 });
    await becomes(late.id, { state: 'waiting', reason: expect.stringMatching(/^window-(?:no-)?uplink$/u) });
    fixture.clock.move(HOUR);
    await becomes(late.id, { state: 'expired', reason: null });
  });

  test('WIN-02-partial those whose windows are open at the same time are sent one after the other, as one without a window is', async () => {
    const router = await offline();
    const window = { zone: 'UTC', hours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', until: '00:00' }] };
    const sent: string[] = [];
    for (const more of [{ window }, { window }, {}])
      sent.push((await send(router, { kind: 'identify', argument: '5', wait: 24, ...more })).id);
    await router.connect();
    for (const [n, id] of sent.entries()) {
      await becomes(id, { state: 'running' });
      for (const later of sent.slice(n + 1)) await becomes(later, { state: 'waiting' });
      expect(router.operations.map(({ key }) => key)).toEqual(sent.slice(0, n + 1));
      await router.complete(router.operations[n]!);
      await becomes(id, { state: 'done' });
    }
  });

  test('WIN-02-partial of two commands of a router each waits for its own window', async () => {
    const router = await online();
    const offSince = (minutes: number) =>
      fixture.server.owner.query(
        `with reported as (update routers r set reported = r.reported || '{"ignition":"off"}' from devices d
            where d.id = $1 and r.id = d.router_id returning r.id), former as (delete from router_facts f using reported r
            where f.router_id = r.id and f.fact = 'ignition')
          insert into router_facts (router_id, at, fact, value) select id, $2, 'ignition', 'off' from reported`,
        [router.device, new Date(fixture.clock.now().getTime() - minutes * 60_000)],
      );
    await offSince(5);
    const sent: string[] = [];
    for (const ignitionOffMinutes of [30, 10]) {
      const window = { zone: 'UTC', ignitionOffMinutes };
      sent.push((await send(router, { kind: 'identify', argument: '5', wait: 24, window })).id);
    }
    for (const id of sent) await becomes(id, { state: 'waiting', reason: 'window-ignition' });
    await offSince(20);
    fixture.clock.move(61_000);
    await becomes(sent[1]!, { state: 'running' });
    await becomes(sent[0]!, { state: 'waiting' });
    expect(router.operations.map(({ key }) => key)).toEqual([sent[1]]);
  });

  test('one behind another waits without being looked at, expires at its own time, and is sent once the other is cancelled', async () => {
    const router = await offline();
    const first = await send(router, { kind: 'reboot', wait: 720 });
    const second = await send(router, { kind: 'reboot', wait: 1 });
    await becomes(second.id, { state: 'waiting', due_at: new Date(second.expires) });
    fixture.clock.move(HOUR + 1_000);
    await becomes(second.id, { state: 'expired' });
    await becomes(first.id, { state: 'waiting' });
    expect(await logOf(router)).toContain(`Command Restart for device ${router.serial} expired`);
    const answers: ReturnType<NonNullable<NonNullable<Choice>['onOperate']>>[] = [{ code: 7005, message: 'busy' }, 'running'];
    const busy = await online({ onOperate: () => answers.shift()! });
    const held = await send(busy, { kind: 'reboot', wait: 2 });
    await becomes(held.id, { state: 'waiting', sent_at: expect.any(Date) });
    const behind = await send(busy, { kind: 'identify', argument: '5', wait: 1 });
    await becomes(behind.id, { state: 'waiting', due_at: new Date(behind.expires) });
    await cancel(held.id);
    await becomes(behind.id, { state: 'running' });
    expect(names(busy)).toEqual(['Device.Reboot()', 'Device.X_HIGHLINE_Identify()']);
  });

  test('it waits until the chosen time, and can be cancelled as long as it waits', async () => {
    const router = await offline();
    const { id } = await send(router, { kind: 'reboot', wait: 1 });
    const other = await send(router, { kind: 'reboot', wait: 720 });
    expect((await cancel(other.id)).state).toBe('cancelled');
    expect(await errorOf(cancel(other.id))).toContain('command.not_waiting');
    fixture.clock.move(HOUR + 1_000);
    await becomes(id, { state: 'expired' });
    await router.connect();
    await isOnline(router);
    expect(router.operations).toEqual([]);
    expect(await logOf(router)).toContain(`Command Restart for device ${router.serial} expired`);
    for (const wait of [0, 721, 1.5]) expect(await errorOf(send(router, { kind: 'reboot', wait }))).toContain('request.invalid');
  });

  test('a server that ends after it was sent sends it again under the same key, and only if the router has not restarted', async () => {
    let isSilent = true;
    const onOperate = () => (isSilent ? ('silent' as const) : ('running' as const));
    const [lost, carriedOut] = [await online({ onOperate }), await online({ onOperate })];
    const sent = [await send(lost, { kind: 'reboot' }), await send(carriedOut, { kind: 'reboot' })];
    await fixture.awaitRequests(lost, 1);
    await fixture.awaitRequests(carriedOut, 1);
    await fixture.restart();
    isSilent = false;
    await lost.connect(fixture.address());
    await carriedOut.connect(fixture.address());
    await carriedOut.boot(undefined, sent[1]!.id);
    await becomes(sent[1]!.id, { state: 'done', sends: 1 });
    await becomes(sent[0]!.id, { state: 'sent', sends: 1 });
    fixture.clock.move(31_000);
    await fixture.awaitRequests(lost, 2);
    expect(new Set(lost.operations.map(({ key }) => key))).toEqual(new Set([sent[0]!.id]));
    await lost.complete(lost.operations[1]!);
    await becomes(sent[0]!.id, { state: 'done' });
    expect(carriedOut.operations).toHaveLength(1);
  });

  test('a router that restarts while it counts as online, after a server that was killed, is not restarted again', async () => {
    const router = await online({ onOperate: () => 'silent' });
    const { id } = await send(router, { kind: 'reboot' });
    await fixture.awaitRequests(router, 1);
    router.cut();
    await expect.poll(async () => (await row('devices', router.device))['presence']).toBe('offline');
    const { owner } = fixture.server;
    // As a killed server leaves it: the router counts as online, and the answer is overdue.
    const due = new Date(fixture.clock.now().getTime() - 1_000);
    await owner.query(`update routers r set presence = 'online' from devices d where d.id = $1 and d.router_id = r.id`, [
      router.device,
    ]);
    await owner.query('update sent_commands set due_at = $2 where id = $1', [id, due]);
    // The request is repeated, without a connection.
    await expect.poll(async () => (await row('sent_commands', id))['due_at']).not.toEqual(due);
    fixture.clock.move(15_000);
    await router.boot();
    await becomes(id, { state: 'done' });
    expect(names(router)).toEqual(['Device.Reboot()']);
  });

  test('a factory reset without an answer is done once the router is back without our subscriptions', async () => {
    const router = await online({ onOperate: () => 'silent' });
    await expect.poll(() => subscribed(router)).toBe(true);
    const { id } = await send(router, { kind: 'factory-reset', confirmation: router.serial });
    await fixture.awaitRequests(router, 1);
    await router.boot();
    await becomes(id, { state: 'done', sends: 1 });
    expect(names(router)).toEqual(['Device.FactoryReset()']);
  });

  test('a router that never answers fails after three requests, and a busy one gets it again', async () => {
    const silent = await online({ onOperate: () => 'silent' });
    const answers: ReturnType<NonNullable<NonNullable<Choice>['onOperate']>>[] = [{ code: 7005, message: 'busy' }, 'running'];
    const busy = await online({ onOperate: () => answers.shift()! });
    const [a, b] = [await send(silent, { kind: 'reboot' }), await send(busy, { kind: 'reboot', wait: 1 })];
    await becomes(b.id, { state: 'waiting', sent_at: expect.any(Date) });
    for (let sends = 1; sends <= 3; sends++) {
      await fixture.awaitRequests(silent, sends);
      fixture.clock.move(31_000);
      await becomes(b.id, { state: 'running' });
    }
    await becomes(a.id, { state: 'failed', reason: 'no-answer' });
    expect(silent.operations).toHaveLength(3);
    await fixture.awaitRequests(busy, 2);
    await becomes(b.id, { state: 'running' });
  });

  test('a device that was deleted, moved to another organization or has another router does not get it, and the log says so', async () => {
    const routers = [await offline(), await offline(), await offline()];
    const sent = [];
    for (const router of routers) sent.push(await send(router, { kind: 'reboot', wait: 24 }));
    const [deleted, replaced, transferred] = routers;
    await transfer(transferred!);
    await fixture.server.owner.query('update devices set archived_at = now() where id = $1', [deleted!.device]);
    await fixture.server.owner.query('update sent_commands set router_id = gen_random_uuid() where id = $1', [sent[1]!.id]);
    await becomes(sent[0]!.id, { state: 'cancelled', reason: 'gone' });
    await becomes(sent[1]!.id, { state: 'cancelled', reason: 'replaced' });
    await becomes(sent[2]!.id, { state: 'cancelled', reason: 'gone' });
    await transferred!.connect();
    await isOnline(transferred!);
    expect(transferred!.operations).toEqual([]);
    expect(await logOf(replaced!)).toContain(`Command Restart for device ${replaced!.serial} was not sent`);
  });

  test('a device that is moved to another group meanwhile gets it once: a command belongs to the device', async () => {
    const router = await offline();
    const { id } = await send(router, { kind: 'reboot', wait: 24 });
    const group = await fixture.group();
    await fixture.server.owner.query('update devices set group_key = $1 where id = $2', [group, router.device]);
    await router.connect();
    await becomes(id, { state: 'running' });
    await router.complete(router.operations[0]!);
    await becomes(id, { state: 'done' });
    expect(names(router)).toEqual(['Device.Reboot()']);
  });

  test('who sent it must still be allowed to when it is delivered', async () => {
    const router = await offline();
    const { id, by } = await send(router, { kind: 'reboot', wait: 24 });
    const roles = (set: string) => fixture.server.owner.query(`update accounts set roles = ${set} where email = $1`, [by]);
    const { rows } = await fixture.server.owner.query<{ roles: string[] }>('select roles from accounts where email = $1', [by]);
    await roles("'{}'");
    await router.connect();
    await becomes(id, { state: 'failed', reason: 'not-allowed' });
    await fixture.server.owner.query('update accounts set roles = $2 where email = $1', [by, rows[0]!.roles]);
    expect(router.operations).toEqual([]);
  });

  test('IAM-04-partial of who is limited since, it is delivered to the devices that this person still sees', async () => {
    const { owner } = fixture.server;
    const [seen, unseen] = [await offline(), await offline()];
    const commands = [await send(unseen, { kind: 'reboot', wait: 24 }), await send(seen, { kind: 'reboot', wait: 24 })] as const;
    await owner.query(
      `with limited as (insert into account_limits (account_id, organization_id, tags, updated_at)
         select id, organization_id, '{}', now() from accounts where email = $1 returning account_id)
       insert into account_limit_groups (account_id, organization_id, group_key)
       select l.account_id, d.organization_id, d.group_key from limited l, devices d where d.id = $2`,
      [commands[0].by, seen.device],
    );
    await seen.connect();
    await unseen.connect();
    await becomes(commands[0].id, { state: 'failed', reason: 'not-allowed' });
    await fixture.awaitRequests(seen, 1);
    await becomes(commands[1].id, { state: 'running' });
    await owner.query('delete from account_limits');
    expect(unseen.operations).toEqual([]);
    await seen.complete(seen.operations[0]!);
    await becomes(commands[1].id, { state: 'done' });
  });

  test('a factory reset needs the serial number, and input is checked', async () => {
    const router = await online();
    expect(await errorOf(send(router, { kind: 'factory-reset' }))).toContain('request.invalid');
    expect(await errorOf(send(router, { kind: 'factory-reset', confirmation: 'other' }))).toContain('request.invalid');
    expect(await errorOf(send(router, { kind: 'identify', argument: 'x' }))).toContain('request.invalid');
    expect(await errorOf(send(router, {}))).toContain('request.invalid');
    expect(await errorOf(send(router, { kind: 'reboot', command: 'x' }))).toContain('request.invalid');
    expect(await errorOf(send(router, { command: 'x' }))).toContain('command.not_found');
    expect(await errorOf(send({ device: 'x' }, { kind: 'reboot' }))).toContain('not_found');
    expect(await errorOf(cancel('x'))).toContain('command.unknown');
    const { id } = await send(router, { kind: 'factory-reset', confirmation: router.serial });
    await becomes(id, { state: 'running' });
    expect(names(router)).toEqual(['Device.FactoryReset()']);
    for (let n = 1; n < 10; n++) await send(router, { kind: 'reboot', wait: 1 });
    expect(await errorOf(send(router, { kind: 'reboot', wait: 1 }))).toContain('command.too_many_open');
  });

  test('many at once: a job leaves it waiting for those that are off, and each has its own end', async () => {
    const off = await offline();
    const on = await online();
    type Job = { readonly id: string; readonly state: string; readonly done: number; readonly failed: number };
    const start = (wait?: number) =>
      fixture.call<Job>('POST', '/data_manager/v1/dm/jobs', {
        org: fixture.scope.organizationId,
        action: { kind: 'send', send: 'identify', argument: '30', ...(wait === undefined ? {} : { wait }) },
        selection: { devices: [off.device, on.device] },
      });
    expect(await start()).toMatchObject({ state: 'done', done: 1, failed: 1 });
    const job = await start(2);
    expect(job).toMatchObject({ state: 'done', done: 2, failed: 0 });
    const list = await fixture.call<Sent[]>('GET', `${COMMANDS}?job=${job.id}&limit=10`);
    expect(list.map(({ device }) => device).toSorted()).toEqual([off.device, on.device].toSorted());
    await off.connect();
    await fixture.awaitRequests(off, 1);
    await becomes(list.find(({ device }) => device === off.device)!.id, { state: 'running' });
    await off.complete(off.operations[0]!);
    const open = await fixture.call<Sent[]>('GET', `${COMMANDS}?device=${off.device}&open=true&limit=10`);
    expect(open).toEqual([]);
  });
});
