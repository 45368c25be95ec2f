import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { alerts, bulkJobs, routerPasswords } from '@highline/contract';
import type { Traits } from '@highline/testkit/agent';
import { startStrictAgent, type RunningStrictAgent } from '../../../testing/agents.ts';
import { send, type Responded } from '../../../testing/call.ts';
import { openRolloutFixture, type GroupMember, type RolloutFixture } from '../../../testing/rollouts.ts';
import { findAllowed } from '../../accounts/index.ts';
import { createRotationAlerts } from '../../alerts/index.ts';
import { passwordEnds } from './password-ends.ts';
import { passwordJobs } from './passwords.job.ts';

const PASSWORDS = '/data_manager/v1/dm/router-passwords';
const PASSWORD = '/data_manager/v1/dm/device/password';
const ADMIN = 'Device.Users.User.1.Password';
const OPERATOR = 'Device.Users.User.2.Password';
const OWN = 'correct horse battery staple';
const DAY = 86_400_000;

let fixture: RolloutFixture;
const running: RunningStrictAgent[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

const member = async (): Promise<GroupMember> => (await fixture.members(await fixture.group(), 1))[0]!;
async function connect(router: GroupMember, traits: Partial<Traits> = { hasUsers: true }): Promise<RunningStrictAgent> {
  const started = startStrictAgent(fixture.address(), router, traits);
  running.push(started);
  await expect.poll(async () => (await rowsOf('devices', 'id', router.device))[0]?.['presence']).toBe('online');
  return started;
}
async function rowsOf(table: string, column: string, value: string): Promise<Record<string, unknown>[]> {
  const { rows } = await fixture.server.owner.query<Record<string, unknown>>(
    `select * from ${table} where ${column} = $1 order by id`,
    [value],
  );
  return rows;
}
const stored = ({ device }: GroupMember) => rowsOf('router_passwords', 'device_id', device);

type Set = { readonly command: { readonly id: string }; readonly password: string | null };
const set = ({ device }: { readonly device: string }, body: object = {}) =>
  fixture.call<Set>('POST', PASSWORD, { org: fixture.scope.organizationId, device, ...body });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
const becomes = async (id: string, expected: object) => {
  await expect.poll(async () => (await rowsOf('sent_commands', 'id', id))[0]).toMatchObject(expected);
};
const list = (query = '') => fixture.call<routerPasswords.RouterPassword[]>('GET', `${PASSWORDS}?limit=50${query}`);
const saveSettings = (settings: Partial<routerPasswords.PasswordSettings>) =>
  fixture.call('PUT', `${PASSWORDS}/settings`, {
    org: fixture.scope.organizationId,
    length: 16,
    symbols: false,
    rotateDays: null,
    automatic: false,
    ...settings,
  });

let admins = 0;
/** An admin of the organization whose own password is known. */
async function newAdmin(): Promise<{ readonly bearer: string }> {
  const { seeding } = fixture.server;
  const id = await seeding.account(fixture.scope, `show-${++admins}@highline.invalid`, 'admin');
  await seeding.password(id, OWN);
  return { bearer: await seeding.bearer(id) };
}
const runJob = (name: string) => {
  const { database } = fixture.server;
  return passwordJobs({
    database,
    findAllowed: (actor, right) => findAllowed(database.read, actor, right),
    rotationAlerts: createRotationAlerts(() => 'https://cloud.test'),
  })
    .find((job) => job.name.endsWith(name))!
    .run(fixture.clock.now());
};
const show = ({ bearer }: { readonly bearer: string }, device: string, own?: string): Promise<Responded> =>
  send(`${fixture.server.url}${PASSWORD}/show`, {
    bearer,
    body: { device, ...(own === undefined ? {} : { own_password: own }) },
  });
type Shown = { readonly result: readonly { readonly password: string; readonly state: string; readonly username: string }[] };

describe('LIV-11 passwords of routers', () => {
  test('a random one is in the answer, and the router has it; it is stored sealed, and shown again to who gives the own password', async () => {
    const router = await member();
    const { agent } = await connect(router);
    const { command, password } = await set(router);
    await becomes(command.id, { state: 'done' });
    expect(password).toMatch(/^[A-Za-z2-9]{16}$/u);
    expect(agent.value(ADMIN)).toBe(password);
    expect(agent.value(OPERATOR)).toBe('of operator');
    const [row] = await stored(router);
    expect(row).toMatchObject({ state: 'set', username: 'admin' });
    expect((row!['sealed'] as Buffer).includes(Buffer.from(password!))).toBe(false);
    const admin = await newAdmin();
    expect((await show(admin, router.device)).error().key).toBe('password.own_needed');
    expect((await show(admin, router.device, 'a guess at it')).error().key).toBe('account.wrong_password');
    const shown = await show(admin, router.device, OWN);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.json<Shown>().result).toMatchObject([{ username: 'admin', password, state: 'set' }]);
    expect((await list(`&device=${router.device}`))[0]).toMatchObject({
      username: 'admin',
      pending: null,
      offered: true,
      due: null,
    });
    // Nowhere else: log entries, commands, events, answers that are stored.
    const { rows } = await fixture.server.owner.query<{ text: string }>(
      `select e::text as text from audit_entries e union all select c::text from sent_commands c union all select o::text from outbox o
        union all select r::text from router_events r union all select i::text from idempotent_calls i`,
    );
    expect(rows.filter(({ text }) => text.includes(password!))).toEqual([]);
    expect(rows.some(({ text }) => text.includes(`Showed the password of device ${router.serial}`))).toBe(true);
  });

  test('an API key that has the call sees it without a password of a person, and another one does not', async () => {
    const router = await member();
    await connect(router);
    const { command, password } = await set(router, { username: 'operator', password: 'typed-by-hand' });
    await becomes(command.id, { state: 'done' });
    expect(password).toBeNull();
    const key = async (name: string, operations: readonly string[]) => {
      const body = { org: fixture.scope.organizationId, name, operations };
      const made = await send(`${fixture.server.url}/data_manager/v1/dm/api_keys`, { ...(await newAdmin()), body });
      return { bearer: made.json<{ secret: string }>().secret };
    };
    const shown = await show(await key('Sees it', ['routerPasswords.show']), router.device);
    expect(shown.json<Shown>().result).toMatchObject([{ username: 'operator', password: 'typed-by-hand' }]);
    // One that no key opens is not shown, and the answer says so.
    await fixture.server.owner.query(
      'update router_passwords set sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20)) where id = $1',
      [command.id],
    );
    expect((await show(await key('Reads again', ['routerPasswords.show']), router.device)).error().key).toBe('secret.unreadable');
    expect((await show(await key('Does not', ['routerPasswords.list']), router.device)).status).toBe(403);
  });

  test('one for a router that is off waits, and the one in use stays until the router has confirmed it', async () => {
    const router = await member();
    const first = await connect(router);
    const before = await set(router);
    await becomes(before.command.id, { state: 'done' });
    await first.stop();
    await expect.poll(async () => (await rowsOf('devices', 'id', router.device))[0]?.['presence']).toBe('offline');
    expect(await errorOf(set(router))).toContain('command.offline');
    const after = await set(router, { wait: 24 });
    const admin = await newAdmin();
    expect((await show(admin, router.device, OWN)).json<Shown>().result.map(({ password, state }) => [password, state])).toEqual([
      [after.password, 'waiting'],
      [before.password, 'set'],
    ]);
    expect((await list(`&device=${router.device}`))[0]).toMatchObject({ pending: 'waiting' });
    const { agent } = await connect(router);
    await becomes(after.command.id, { state: 'done' });
    expect(agent.value(ADMIN)).toBe(after.password);
    expect((await show(admin, router.device, OWN)).json<Shown>().result.map(({ password }) => password)).toEqual([
      after.password,
    ]);
    // Cancelled before it was sent: the router has none of it.
    await running.at(-1)!.stop();
    await expect.poll(async () => (await rowsOf('devices', 'id', router.device))[0]?.['presence']).toBe('offline');
    const dropped = await set(router, { wait: 1 });
    await fixture.call('POST', `/data_manager/v1/dm/device/commands/${dropped.command.id}/cancel`, {
      org: fixture.scope.organizationId,
    });
    expect(await stored(router)).toMatchObject([{ state: 'set', id: after.command.id }]);
  });

  test('a server that ends after the router took it sends the same one again', async () => {
    const router = await member();
    const first = await connect(router);
    const { command, password } = await set(router);
    await becomes(command.id, { state: 'done' });
    // The commit of its end is lost with the process.
    const { owner } = fixture.server;
    await first.stop();
    await fixture.server.owner.query("update router_passwords set state = 'waiting', set_at = null where id = $1", [command.id]);
    await owner.query("update sent_commands set state = 'sent', ended_at = null, due_at = sent_at where id = $1", [command.id]);
    await fixture.restart();
    const { agent } = await connect(router);
    fixture.clock.move(31_000);
    await becomes(command.id, { state: 'done', sends: 2 });
    expect(agent.value(ADMIN)).toBe(password);
    expect(await stored(router)).toMatchObject([{ id: command.id, state: 'set' }]);
  });

  test('nothing that may open a router is deleted before the router confirmed another one', () => {
    const command = (id: string, more: object) => ({
      id,
      routerId: 'r',
      kind: 'set-password' as const,
      sends: 1,
      state: 'failed' as const,
      ...more,
    });
    expect(
      passwordEnds([
        command('done', { state: 'done' }),
        command('silent', { reason: 'no-answer' }),
        command('restart', { reason: 'interrupted' }),
        command('rejected', { reason: 'rejected' }),
        command('rejected later', { reason: 'rejected', sends: 2 }),
        command('expired', { state: 'expired', sends: 0 }),
        command('reset', { kind: 'factory-reset', state: 'done' }),
      ]),
    ).toEqual({
      set: ['done'],
      unconfirmed: ['silent', 'restart', 'rejected later'],
      unset: ['rejected', 'expired'],
      reset: ['r'],
    });
  });

  test('LIV-09-partial a factory reset that never reached its router is no reset after another start: it is sent again, and passwords stay until it is done', async () => {
    const router = await member();
    const ours = await connect(router);
    const { command, password } = await set(router);
    await becomes(command.id, { state: 'done' });
    ours.loseCoverage();
    const reset = await fixture.call<{ readonly id: string }>('POST', '/data_manager/v1/dm/device/commands', {
      org: fixture.scope.organizationId,
      device: router.device,
      kind: 'factory-reset',
      confirmation: router.serial,
    });
    await becomes(reset.id, { state: 'sent', sends: 1 });
    fixture.clock.move(15_000);
    ours.regainCoverage();
    ours.cutPower();
    const booted = async () => (await rowsOf('devices', 'id', router.device))[0]?.['booted_at'] as Date;
    const sentAt = (await rowsOf('sent_commands', 'id', reset.id))[0]!['sent_at'] as Date;
    await expect.poll(async () => (await booted()) > sentAt).toBe(true);
    expect((await show(await newAdmin(), router.device, OWN)).json<Shown>().result).toMatchObject([{ password, state: 'set' }]);
    await becomes(reset.id, { state: 'sent', sends: 1 });
    fixture.clock.move(31_000);
    await becomes(reset.id, { state: 'done', sends: 2 });
    expect(ours.agent.commands.filter((each) => each === 'Device.FactoryReset()')).toHaveLength(1);
    expect(await stored(router)).toEqual([]);
  });

  test('a router without users says so, one without that user rejects it, and neither password is kept', async () => {
    const plain = await member();
    await connect(plain, { model: 'SX-10' });
    await becomes((await set(plain)).command.id, { state: 'failed', reason: 'unsupported' });
    expect((await list(`&device=${plain.device}`))[0]).toMatchObject({ offered: false, username: null });
    const router = await member();
    await connect(router);
    const missing = await set(router, { username: 'root' });
    await becomes(missing.command.id, { state: 'failed', reason: 'rejected', message: 'There is no user root.' });
    expect([...(await stored(plain)), ...(await stored(router))]).toEqual([]);
    const admin = await newAdmin();
    expect((await show(admin, router.device, OWN)).error().key).toBe('password.none');
    for (const body of [
      { username: 'a"]' },
      { username: '' },
      { password: 'short' },
      { password: 'with blank s' },
      { password: 'x'.repeat(65) },
    ])
      expect(await errorOf(set(router, body)), JSON.stringify(body)).toContain('request.invalid');
    expect(await errorOf(set({ device: 'x' }))).toContain('not_found');
    expect((await show(admin, 'x', OWN)).status).toBe(404);
    expect(
      await errorOf(
        fixture.call('POST', '/data_manager/v1/dm/device/commands', {
          org: fixture.scope.organizationId,
          device: router.device,
          kind: 'set-password',
          argument: 'admin',
        }),
      ),
    ).toContain('request.invalid');
  });

  test('many at once: a job gives each router its own random one by the policy, also those that are off', async () => {
    await saveSettings({ length: 24, symbols: true });
    const [on, off] = [await member(), await member()];
    const first = await connect(on);
    const job = await fixture.call<bulkJobs.BulkJob>('POST', '/data_manager/v1/dm/jobs', {
      org: fixture.scope.organizationId,
      action: { kind: 'send', send: 'set-password', argument: 'admin', wait: 2 },
      selection: { devices: [on.device, off.device] },
    });
    expect(job).toMatchObject({ state: 'done', done: 2, send: 'set-password' });
    await expect.poll(async () => (await stored(on))[0]).toMatchObject({ state: 'set' });
    // Random, so that nothing is stored before it is sent.
    expect(await stored(off)).toEqual([]);
    const { agent } = await connect(off);
    await expect.poll(async () => (await stored(off))[0]).toMatchObject({ state: 'set' });
    const both = [first.agent.value(ADMIN), agent.value(ADMIN)];
    for (const password of both) expect(password).toMatch(/^[\w.+=@%-]{24}$/u);
    expect(new Set(both).size).toBe(2);
    await saveSettings({});
  });

  test('an earlier reset, another router and another owner leave nothing of it', async () => {
    const { owner } = fixture.server;
    const router = await member();
    await connect(router, { hasUsers: true, hasPasswordReset: true, model: 'SX-41' });
    const first = await set(router);
    await becomes(first.command.id, { state: 'done' });
    const admin = await newAdmin();
    const reset = await send(`${fixture.server.url}/data_manager/v1/dm/cmds/resetGuiPassword`, {
      ...admin,
      body: { serial: router.serial },
    });
    expect(reset.status).toBe(200);
    expect(await stored(router)).toEqual([]);
    const second = await set(router);
    await becomes(second.command.id, { state: 'done' });
    await owner.query('update router_passwords set router_id = gen_random_uuid() where id = $1', [second.command.id]);
    expect((await show(admin, router.device, OWN)).error().key).toBe('password.none');
    await runJob('retention');
    expect(await stored(router)).toEqual([]);
  });

  test('what is due is a filter, and is replaced without a person only where that is switched on', async () => {
    const router = await member();
    const { agent } = await connect(router);
    const { command, password } = await set(router);
    await becomes(command.id, { state: 'done' });
    const due = async () => (await list(`&due=true`)).some(({ device }) => device === router.device);
    expect(await due()).toBe(false);
    expect(await errorOf(saveSettings({ automatic: true }))).toContain('request.invalid');
    await saveSettings({ rotateDays: 30 });
    expect(await due()).toBe(false);
    fixture.clock.move(31 * DAY);
    expect(await due()).toBe(true);
    expect((await list(`&device=${router.device}`))[0]).toMatchObject({ is_due: true });
    expect(agent.value(ADMIN)).toBe(password);
    await saveSettings({ rotateDays: 30, automatic: true });
    await runJob('rotation');
    await expect.poll(() => agent.value(ADMIN)).not.toBe(password);
    await expect.poll(due).toBe(false);
    await saveSettings({});
  });

  test('where who saved the settings may not replace them any more, nothing is sent, and an alert, a mail and the log say so once', async () => {
    const { owner } = fixture.server;
    const router = await member();
    await newAdmin();
    const sent = async () => (await rowsOf('sent_commands', 'device_id', router.device)).length;
    const opened = () => fixture.call<alerts.Alert[]>('GET', '/data_manager/v1/alerts?kind=rotation-stopped&limit=50');
    const linesOf = async (part: string) =>
      (await owner.query('select 1 from audit_entries where action like $1', [`${part}%`])).rowCount;
    await saveSettings({ rotateDays: 30, automatic: true });
    const { rows } = await owner.query<{ id: string; email: string; roles: string[] }>(
      `select a.id, a.email, a.roles from accounts a join router_password_settings s on a.id = (s.author ->> 'accountId')::uuid
       where s.organization_id = $1`,
      [fixture.scope.organizationId],
    );
    const { id, email, roles } = rows[0]!;
    const give = (given: readonly string[]) => owner.query('update accounts set roles = $2 where id = $1', [id, given]);
    // Nightly backups that stopped are another alert of the organization.
    await owner.query(
      `insert into alerts (id, organization_id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number, group_key, state, since, fired_at)
       values (gen_random_uuid(), $1, $2, $1, 'Nightly backups stopped', 'warning', 'backups-stopped', $1, '', '', '', 'firing', now(), now())`,
      [fixture.scope.organizationId, fixture.scope.mainAccountId],
    );
    await give([]);
    for (let run = 0; run < 2; run += 1) {
      fixture.clock.move(8 * DAY);
      await runJob('rotation');
    }
    await give(roles);
    expect(await sent()).toBe(0);
    expect(await opened()).toMatchObject([
      { state: 'firing', ruleName: 'Automatic router passwords stopped', vehicle_number: email, device: '' },
    ]);
    expect(await linesOf(`Stopped replacing router passwords automatically: ${email}`)).toBe(1);
    const mails = await owner.query<{ subject: string }>("select subject from mails where subject like 'Automatic router%'");
    expect(mails.rowCount).toBeGreaterThan(0);

    await runJob('rotation');
    expect(await sent()).toBe(1);
    expect(await opened()).toMatchObject([{ state: 'resolved' }]);
    // What was dropped since its author might not is no attempt.
    const drop = (reason: string) =>
      owner.query(
        `update sent_commands set state = 'failed', reason = $2, ended_at = created_at, due_at = null where device_id = $1`,
        [router.device, reason],
      );
    await drop('unsupported');
    await runJob('rotation');
    expect(await sent()).toBe(1);
    await drop('not-allowed');
    await runJob('rotation');
    expect(await sent()).toBe(2);
    await give([]);
    await runJob('rotation');
    await give(roles);
    expect((await opened()).map(({ state }) => state).toSorted()).toEqual(['firing', 'resolved']);
    await saveSettings({});
    expect((await opened()).map(({ state }) => state)).toEqual(['resolved', 'resolved']);
  });
});
