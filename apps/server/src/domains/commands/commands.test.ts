import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { collide } from '../../testing/collide.ts';
import { send, until } from '../../testing/call.ts';
import { systemClock } from '../../platform/ports/clock.ts';
import { hashBearer } from '../../transport/http/bearer.ts';
import { createNodeChannel, nodeSubject, purgeRecordedCalls, type NodeChannel } from '../../platform/node-rpc/index.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { openRemoteFixture, type RemoteFixture } from '../../testing/remote-fixture.ts';
import { openTestBus, startTestServer, type TestServer } from '../../testing/server.ts';
import { silentLog } from '../../testing/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { openTestApp, sorted, type TestApp } from '../../testing/test-app.ts';
import { createCommandRuns } from './index.ts';

const COMMANDS = '/data_manager/v1/dm/commands';

describe('OLD-03-partial commands of an organization', () => {
  let app: TestApp;
  let main: MainScope;
  let own: OrganizationScope;
  let admin: Actor;
  let user: Actor;

  beforeAll(async () => {
    app = await openTestApp();
    main = (await app.seeding.mainAccount('Home')).scope;
  });
  beforeEach(async () => {
    own = await app.seeding.organization(main, `Own ${newId()}`);
    admin = app.person(own, 'admin');
    user = app.person(own, 'user');
    await app.takeOutbox();
  });
  afterAll(() => app.close());

  const add = (body: object, as = admin) => app.call('POST', COMMANDS, { as, body });
  const save = (id: string, body: object, as = admin) => app.call('PATCH', `${COMMANDS}/${id}`, { as, body });
  const listed = async (as = user) => (await app.call('GET', COMMANDS, { as })).json.result;
  const reboot = { name: 'Reboot', kind: 'reboot' };

  test('an admin defines, changes and deletes them, every user sees them by name, and the log has each change', async () => {
    const { id, ...made } = (await add({ name: 'Find it', kind: 'identify', argument: '30' })).json.result;
    expect(made).toMatchObject({ name: 'Find it', kind: 'identify', argument: '30', pinned: false });
    await add(reboot);
    const saved = (await save(id, { name: 'Where are you', argument: '60', pinned: true })).json.result;
    expect(saved).toMatchObject({ id, name: 'Where are you', kind: 'identify', argument: '60', pinned: true });
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['Reboot', 'Where are you']);
    expect((await app.call('DELETE', `${COMMANDS}/${id}`, { as: admin, body: {} })).json.result).toEqual({ deleted: 1 });
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['Reboot']);
    expect(await app.logOf(own.organizationId)).toEqual(
      expect.arrayContaining(['Added command Find it', 'Changed command Find it', 'Deleted command Where are you']),
    );
    expect((await app.takeOutbox()).map(({ topic }) => topic)).toEqual(['commands', 'commands', 'commands', 'commands']);
  });

  test('a save based on an outdated version is 412 with the current values; one without a version is accepted', async () => {
    const { id, version } = (await add(reboot)).json.result;
    const based = (tag: string, name: string) =>
      app.call('PATCH', `${COMMANDS}/${id}`, { as: admin, body: { name }, headers: { 'if-match': `"${tag}"` } });
    const first = await based(version, 'Start again');
    expect([first.status, first.headers.etag]).toEqual([200, `"${first.json.result.version}"`]);
    const stale = await based(version, 'Restart');
    expect([stale.status, stale.json.error.key, stale.json.error.detail]).toEqual([412, 'conflict.stale', (await listed())[0]]);
    expect(stale.json.error.detail.name).toBe('Start again');
    expect((await save(id, { pinned: true })).status).toBe(200);
    expect((await based(first.json.result.version, 'Restart')).status).toBe(412);
    expect((await based((await listed())[0].version, 'Restart')).json.result).toMatchObject({ name: 'Restart', pinned: true });
  });

  test('at most two are pinned, also when two users pin concurrently', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.push((await add({ ...reboot, name })).json.result.id);
    await save(ids[0]!, { pinned: true });
    const both = await collide(
      app,
      `select from organizations where id = '${own.organizationId}' for update`,
      () => save(ids[1]!, { pinned: true }),
      () => save(ids[2]!, { pinned: true }),
    );
    expect(sorted(both.map(({ status }) => status))).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.json.error.key).toBe('command.too_many_pinned');
    expect((await add({ ...reboot, name: 'D', pinned: true })).json.error.key).toBe('command.too_many_pinned');
    await save(ids[0]!, { pinned: false });
    expect((await add({ ...reboot, name: 'D', pinned: true })).status).toBe(200);
    expect((await listed()).filter(({ pinned }: { pinned: boolean }) => pinned)).toHaveLength(2);
  });

  test.each([
    ['a kind outside the fixed set', { name: 'X', kind: 'shell', argument: 'rm -rf /' }, 'kind'],
    ['seconds out of bounds', { name: 'X', kind: 'identify', argument: '301' }, 'argument'],
    ['an argument for a command without one', { name: 'X', kind: 'reboot', argument: '1' }, 'argument'],
    ['an unknown zone', { name: 'X', kind: 'zone', argument: 'UTC0; reboot' }, 'argument'],
    ['neither yes nor no', { name: 'X', kind: 'roaming', argument: 'maybe' }, 'argument'],
    ['no name', { name: ' ', kind: 'reboot' }, 'name'],
  ])('rejects %s', async (_, body, field) => {
    expect((await add(body)).json.error).toMatchObject({ key: 'request.invalid', field });
    expect(await listed()).toEqual([]);
  });

  test('rejects a name that is taken, a 33rd command, and callers who are not admins', async () => {
    await add(reboot);
    expect((await add(reboot)).json.error.key).toBe('command.name_taken');
    expect((await add(reboot, user)).json.error.key).toBe('permission.denied');
    for (let count = 1; count < 32; count += 1) await add({ ...reboot, name: `Reboot ${count}` });
    expect((await add({ ...reboot, name: 'One more' })).json.error.key).toBe('command.too_many');
    expect(await listed()).toHaveLength(32);
  });
});

describe('OLD-03-partial running a command', () => {
  let fixture: RemoteFixture;
  beforeAll(async () => {
    fixture = await openRemoteFixture();
  });
  afterAll(() => fixture.close());

  const post = (path: string, body: object, bearer = fixture.bearer) =>
    send(`${fixture.server.url}${COMMANDS}${path}`, { bearer, body: { org: fixture.scope.organizationId, ...body } });
  let defined = 0;
  const define = async (kind: string, argument = '') => {
    defined += 1;
    const made = await post('', { name: `${kind} ${defined}`, kind, argument });
    return made.json<{ result: { id: string } }>().result.id;
  };
  const run = (command: string, device: { id: string }, as?: string) => post(`/${command}/run`, { device: device.id }, as);
  const runs = (device: { id: string }) => runsOf(fixture, device);
  const done = { outcome: 'done', message: '', code: null };

  test('a real router runs each kind, and its answer is returned and logged', async () => {
    const device = await fixture.device();
    // After its roaming has changed a router connects again.
    const runOnline = (command: string, of: typeof device) =>
      until(async () => {
        const response = (await run(command, of)).json<{ error?: { key: string } }>();
        return response.error?.key !== 'command.offline' && response;
      });
    for (const [kind, argument] of [
      ['identify', '30'],
      ['report'],
      ['roaming', 'true'],
      ['name', 'Bus 7'],
      ['zone', 'CST6CDT'],
      ['reboot'],
    ])
      expect([kind, await runOnline(await define(kind!, argument), device)]).toEqual([kind, { result: done }]);
    expect(await runs(device)).toEqual(Array(6).fill('done'));
  });

  test("a router's rejection is returned in its own message, sanitized", async () => {
    const device = await fixture.scripted({ onOrder: () => ({ message: 'not now\u202e\u0000, <b>later</b>' }) });
    const response = await run(await define('identify', '30'), device);
    expect(response.json()).toEqual({ result: { outcome: 'rejected', message: 'not now, <b>later</b>', code: 7022 } });
    expect(await runs(device)).toEqual(['rejected']);
  });

  test('a router without the command differs from one that rejects it, and the timeline says so', async () => {
    const message = 'CheckPathProperties: Path Device.X_HIGHLINE_Identify() does not exist in the schema';
    const device = await fixture.scripted({ onOrder: () => ({ code: 7026, message }) });
    const response = await run(await define('identify', '30'), device);
    expect(response.json()).toEqual({ result: { outcome: 'unsupported', message, code: 7026 } });
    const zone = await run(await define('zone', 'UTC0'), device);
    expect(zone.json()).toMatchObject({ result: { outcome: 'done' } });
    expect(await runs(device)).toEqual(['unsupported', 'done']);
    const query = new URLSearchParams({ device: device.id, kind: 'action', org: fixture.scope.organizationId });
    const page = await send(`${fixture.server.url}/data_manager/v1/dm/device/timeline?${query.toString()}`, {
      bearer: fixture.bearer,
    });
    const { result } = page.json<{ result: { subject: string; outcome: string }[] }>();
    expect(result.filter(({ subject }) => subject.startsWith('Ran command')).map(({ outcome }) => outcome)).toEqual([
      'done',
      'unsupported',
    ]);
  });

  test('readings that a router cannot send by itself are read from it, and a router without readings is reported as such', async () => {
    const values = new Map([['Device.Cellular.Interface.1.RSSI', '-77']]);
    const device = await fixture.scripted({ values });
    expect((await run(await define('report'), device)).json()).toEqual({ result: done });
    const { rows } = await fixture.server.owner.query('select rssi from telemetry_reports where router_id = $1', [
      device.routerId,
    ]);
    expect(rows.map(({ rssi }) => rssi)).toContain(-77);
    expect(device.router.ordered).toEqual([]);
    const silent = await fixture.scripted();
    expect((await run(await define('report'), silent)).json()).toMatchObject({ result: { outcome: 'unsupported' } });
    expect(await runs(silent)).toEqual(['unsupported']);
  });

  test('HKS-04-partial it is logged before the router answers, and sent again with its key it does not run twice, also when its process died', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const device = await fixture.scripted({ onOrder: () => promise });
    const command = await define('reboot');
    const withKey = () =>
      send(`${fixture.server.url}${COMMANDS}/${command}/run`, {
        bearer: fixture.bearer,
        headers: { 'idempotency-key': 'run-once' },
        body: { org: fixture.scope.organizationId, device: device.id },
      });
    const first = withKey();
    await until(() => device.router.ordered.length > 0);
    const log = async () => {
      const { rows } = await fixture.server.owner.query<{ action: string }>(
        "select action from audit_entries where subject_id = $1 and action like '% command %' order by seq",
        [device.id],
      );
      return rows.map(({ action }) => action.split(' ')[0]);
    };
    expect(await log()).toEqual(['Sent']);
    // As a killed process leaves it.
    await fixture.server.owner.query(
      "update idempotent_calls set leased_until = now() - interval '1 second' where key = 'run-once'",
    );
    expect((await withKey()).error().key).toBe('idempotency.answer_lost');
    resolve(undefined);
    expect((await first).json()).toEqual({ result: done });
    expect([device.router.ordered.length, await log()]).toEqual([1, ['Sent', 'Ran']]);
  });

  test('to an offline router nothing is sent, and nothing is logged', async () => {
    const device = await fixture.scripted();
    await device.router.stop();
    await until(async () => {
      const { rows } = await fixture.server.owner.query('select presence from devices where id = $1', [device.id]);
      return rows[0].presence === 'offline';
    });
    const command = await define('reboot');
    const { error } = (await run(command, device)).json<{ error: { key: string } }>();
    expect(error.key).toBe('command.offline');
    expect(await runs(device)).toEqual([]);
  });

  test('an unknown command, and a device of another organization, are not found', async () => {
    const device = await fixture.scripted();
    const command = await define('reboot');
    const statuses = [await run('nonsense', device), await run(newId(), device), await run(command, { id: newId() })];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(device.router.ordered).toEqual([]);
  });
});

/** The outcomes of runs on a device, from the log. */
async function runsOf({ server }: RemoteFixture, device: { readonly id: string }): Promise<string[]> {
  const { rows } = await server.owner.query<{ detail: { outcome: string } }>(
    "select detail from audit_entries where subject_id = $1 and action like 'Ran command %' order by seq",
    [device.id],
  );
  return rows.map(({ detail }) => detail.outcome);
}

describe('OLD-03-partial running a command at a process that does not have the router', () => {
  let database: TestDatabase;
  /** The process with the routers. */
  let fixture: RemoteFixture;
  let folder: string;
  let otherNode: TestServer;
  /** A second process with short timeouts. */
  let hasty: TestServer;
  /** Sends and receives what another process would. */
  let channel: NodeChannel;
  /** A command. */
  let identify: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const masterKey = randomBytes(32).toString('hex');
    fixture = await openRemoteFixture({ database, masterKey, commands: { claimMs: 300 } });
    folder = await mkdtemp(join(tmpdir(), 'highline-second-node-'));
    const shared = (name: string) => ({ database, masterKey, folder: join(folder, name) });
    const key = createSecretKey(Buffer.from(masterKey, 'hex'));
    channel = createNodeChannel({ bus: openTestBus(database), masterKey: key, log: silentLog });
    otherNode = await startTestServer({ ...shared('other'), commands: { claimMs: 60_000, responseMs: 60_000 } });
    hasty = await startTestServer({ ...shared('hasty'), commands: { claimMs: 60_000, responseMs: 300 } });
    const made = await at(otherNode, '', { name: 'Find it', kind: 'identify', argument: '30' });
    identify = made.json<{ result: { id: string } }>().result.id;
  });
  afterAll(async () => {
    for (const server of [hasty, otherNode, fixture]) await server.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  const at = (server: TestServer, path: string, body: object) =>
    send(`${server.url}${COMMANDS}${path}`, { bearer: fixture.bearer, body: { org: fixture.scope.organizationId, ...body } });
  const run = (server: TestServer, device: { id: string }) => at(server, `/${identify}/run`, { device: device.id });
  const recordedCalls = async () => (await fixture.server.owner.query('select 1 from recorded_calls')).rows.length;
  /** A device that counts as connected, but to no process. */
  const adrift = async () => {
    const device = await fixture.scripted();
    await device.router.stop();
    const presence = async () =>
      (await fixture.server.owner.query('select presence from devices where id = $1', [device.id])).rows[0].presence as string;
    await until(async () => (await presence()) === 'offline');
    await fixture.server.owner.query("update devices set presence = 'online' where id = $1", [device.id]);
    return device;
  };

  test("the process with the connection sends it once, and the router's answer, also a rejection, is returned and logged once", async () => {
    const device = await fixture.device();
    expect((await run(otherNode, device)).json()).toEqual({ result: { outcome: 'done', message: '', code: null } });
    const scripted = await fixture.scripted({ onOrder: () => ({ message: 'not now\u202e' }) });
    expect((await run(otherNode, scripted)).json()).toEqual({ result: { outcome: 'rejected', message: 'not now', code: 7022 } });
    expect(scripted.router.ordered).toHaveLength(1);
    expect([await runsOf(fixture, device), await runsOf(fixture, scripted)]).toEqual([['done'], ['rejected']]);
  });

  test('a process that dies with it leads to a plain error and one log entry, and no other process runs it again', async () => {
    const device = await adrift();
    // A process that accepts the command, begins it, and is killed.
    const dead = newId();
    const begun: unknown[] = [];
    const message = z.object({ type: z.string() }).loose();
    channel.subscribe(nodeSubject(dead, 'commands'), message, async ({ type }) => {
      if (type === 'offer') return { ticket: newId() };
      return void begun.push(type);
    });
    await fixture.server.owner.query('update routers set held_by = $1 where id = $2', [dead, device.routerId]);
    const response = await run(hasty, device);
    expect([response.status, response.error().key, begun[0]]).toEqual([504, 'command.no_answer', 'run']);
    expect(await runsOf(fixture, device)).toEqual(['no-answer']);
  });

  test('a late answer writes no second entry, and a router without a process is offline: nothing is sent or logged', async () => {
    const device = await adrift();
    expect((await run(fixture.server, device)).error().key).toBe('command.offline');
    expect(await runsOf(fixture, device)).toEqual([]);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const slow = await fixture.scripted({ onOrder: () => promise });
    expect((await run(hasty, slow)).error().key).toBe('command.no_answer');
    resolve(undefined);
    await run(otherNode, slow);
    expect([await runsOf(fixture, slow), slow.router.ordered.length]).toEqual([['no-answer', 'done'], 2]);
  });

  /** Run the command as a process without routers does: for a job of the actor, or for who waits for the response. */
  const runFor = async (actor: Actor, device: { id: string }, isJob: boolean) => {
    const node = { id: newId(), onChange: () => {} };
    const rights = { readSession: () => Promise.resolve(undefined), mayAct: () => Promise.resolve(false) };
    const deviceLink = { isConnected: () => false } as never;
    const { database: shared } = otherNode;
    const runs = createCommandRuns({
      database: shared,
      clock: systemClock,
      log: silentLog,
      channel,
      node,
      deviceLink,
      ...rights,
    });
    return runs.run(fixture.scope, actor, identify, device.id, isJob).then(
      ({ outcome }) => outcome,
      (error: unknown) => (error as { key: string }).key,
    );
  };
  /** Another admin, as jobs and plans store the author. */
  const author = async (key?: Actor['key']) => {
    const { id, bearer } = await fixture.another();
    const { organizationId, mainAccountId } = fixture.scope;
    const session = hashBearer(bearer);
    const person = { accountId: id, email: `${id}@remote.invalid`, name: 'Author', role: 'admin' as const };
    const actor: Actor = { ...person, organizationId, mainAccountId, address: '', sessionId: session.toString('hex'), key };
    const signOut = () => fixture.server.owner.query('delete from sessions where bearer_hash = $1', [session]);
    return { actor, bearer, signOut };
  };

  test('USE-03-partial BLK-01-partial for a job it runs after the session of its author has ended, in the name of the author; a direct call needs the session', async () => {
    const device = await fixture.scripted();
    const { actor, signOut } = await author();
    expect([await runFor(actor, device, false), await runFor(actor, device, true)]).toEqual(['done', 'done']);
    await signOut();
    expect([await runFor(actor, device, false), await runFor(actor, device, true)]).toEqual(['session.invalid', 'done']);
    expect(device.router.ordered).toHaveLength(3);
    const { rows } = await fixture.server.owner.query<{ actor_email: string }>(
      "select actor_email from audit_entries where subject_id = $1 and action like 'Ran command %' order by seq desc limit 1",
      [device.id],
    );
    expect(rows).toEqual([{ actor_email: actor.email }]);
    const { rows: unsent } = await fixture.server.owner.query(
      "select from audit_entries where subject_id = $1 and action like 'Command % was not sent'",
      [device.id],
    );
    expect(unsent).toHaveLength(1);
  });

  test('USE-03-partial BLK-01-partial for a job whose author lost the role, the organization or the account nothing is sent, also while a session is valid', async () => {
    const device = await fixture.scripted();
    const { actor } = await author();
    const change = (set: string) =>
      fixture.server.owner.query(`update accounts set ${set} where id = $1 returning id`, [actor.accountId]);
    const { rows } = await fixture.server.owner.query('select roles from accounts where id = $1', [actor.accountId]);
    await change("roles = '{}'");
    expect(await runFor(actor, device, true)).toBe('permission.denied');
    await fixture.server.owner.query('update accounts set roles = $2 where id = $1', [actor.accountId, rows[0].roles]);
    expect(await runFor(actor, device, true)).toBe('done');
    const ended = (at: string) =>
      fixture.server.owner.query(`update organizations set deleted_at = ${at} where id = $1`, [fixture.scope.organizationId]);
    await ended('now()');
    const denied = await runFor(actor, device, true);
    await ended('null');
    await fixture.server.owner.query('delete from accounts where id = $1', [actor.accountId]);
    expect([denied, await runFor(actor, device, true)]).toEqual(['permission.denied', 'permission.denied']);
    expect([device.router.ordered.length, await runsOf(fixture, device)]).toEqual([1, ['done']]);
  });

  test('USE-03-partial HKS-02-partial for a job of an API key it runs after a rotation by another admin, and not after the key was revoked', async () => {
    const device = await fixture.scripted();
    const maker = await author();
    const at = (path: string, method: string, body: object, bearer = maker.bearer) =>
      send(`${otherNode.url}/data_manager/v1/dm/api_keys${path}`, { bearer, method, body });
    const made = await at('', 'POST', { name: 'Sync', operations: ['commands.list', 'commands.run'] });
    const { id } = made.json<{ result: { id: string } }>().result;
    const key = { id, label: 'Sync', organizationId: fixture.scope.organizationId };
    // As of before the rotation: its secret is of no use then.
    const actor: Actor = { ...maker.actor, sessionId: hashBearer('former secret').toString('hex'), key };
    expect((await at(`/${id}/rotate`, 'POST', { overlapHours: 0 }, fixture.bearer)).status).toBe(200);
    await fixture.server.owner.query('delete from accounts where id = $1', [maker.actor.accountId]);
    expect([await runFor(actor, device, true), await runFor(actor, device, false)]).toEqual(['done', 'session.invalid']);
    expect(await runFor({ ...actor, role: 'main' }, device, true)).toBe('permission.denied');
    expect((await at(`/${id}`, 'DELETE', {}, fixture.bearer)).status).toBe(200);
    expect(await runFor(actor, device, true)).toBe('permission.denied');
    expect(device.router.ordered).toHaveLength(1);
  });

  test('a message that arrives twice, or with an unknown ticket, runs nothing, and marks of recorded calls are deleted', async () => {
    const device = await fixture.scripted();
    const { organizationId, mainAccountId } = fixture.scope;
    const { rows } = await fixture.server.owner.query<{ session: string; node: string }>(
      "select encode(s.bearer_hash, 'hex') as session, r.held_by as node from sessions s, routers r where r.id = $1 limit 1",
      [device.routerId],
    );
    const [{ session: sessionId, node }] = rows as [{ session: string; node: string }];
    const { id: deviceId, serial, routerId } = device;
    const payload = { deviceId, routerId, serial, name: 'Twice', kind: 'identify', argument: '30' };
    const offer = { type: 'offer', organizationId, mainAccountId, payload, sessionId, address: '' };
    const ask = (body: object) => channel.request(nodeSubject(node, 'commands'), body, z.record(z.string(), z.unknown()), 10_000);
    const { ticket } = await ask(offer);
    expect(await ask({ type: 'run', ticket: newId() })).toEqual({ answer: null });
    expect(await ask({ type: 'run', ticket })).toMatchObject({ answer: { value: { outcome: 'done' } } });
    expect(await ask({ type: 'run', ticket })).toEqual({ answer: null });
    expect(await ask({ ...offer, payload: { ...payload, routerId: newId() } })).toEqual({ ticket: null });
    expect([device.router.ordered.length, await runsOf(fixture, device)]).toEqual([1, ['done']]);
    expect(await recordedCalls()).toBeGreaterThan(0);
    await purgeRecordedCalls(fixture.server.database);
    expect(await recordedCalls()).toBeGreaterThan(0);
    await fixture.server.owner.query("update recorded_calls set recorded_at = now() - interval '11 minutes'");
    await purgeRecordedCalls(fixture.server.database);
    expect(await recordedCalls()).toBe(0);
  });
});
