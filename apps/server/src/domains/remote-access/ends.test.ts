import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { send, until } from '../../testing/call.ts';
import { startTestServer } from '../../testing/server.ts';
import { createTestDatabase } from '../../testing/database.ts';
import {
  requestByName,
  isPortClosed,
  openRemoteFixture,
  runBySsh,
  signInBySsh,
  type RemoteFixture,
} from '../../testing/remote-fixture.ts';

// Every end of a session. A visitor is connected each time, because the end must cut that connection.

let fixture: RemoteFixture;

/** Callbacks that wait for the expiry of credentials. */
const expiries = new Set<() => void>();

beforeAll(async () => {
  const after = (_milliseconds: number, run: () => void) => {
    expiries.add(run);
    return () => void expiries.delete(run);
  };
  fixture = await openRemoteFixture({ remote: { offlineMs: 0, watchMs: 300, after } });
});

/** Let the five minutes pass. */
function expireAll(): void {
  for (const expire of expiries) expire();
  expiries.clear();
}
afterAll(() => fixture.close());

type Scripted = Awaited<ReturnType<RemoteFixture['scripted']>>;
interface Inside {
  readonly device: Scripted;
  readonly socket: Socket;
  readonly port: number;
  /** Resolves when the visitor's connection is closed. */
  readonly out: Promise<unknown>;
}

/** An open session of `as` whose credentials were not issued, with a visitor connected to an echo. */
async function getInside(as = fixture.bearer): Promise<Inside> {
  const device = await fixture.scripted();
  const opened = await fixture.call('connectDevice', device, 'ssh', as);
  expect(opened.text).toContain('"statusCode":200');
  const { port } = opened.json<{ port: number }>();
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => {});
  const out = once(socket, 'close');
  socket.write('hello');
  const [echo] = (await once(socket, 'data')) as [Buffer];
  expect(echo.toString()).toBe('hello');
  return { device, socket, port, out };
}

const api = (method: string, path: string, bearer: string, body?: object) =>
  send(`${fixture.server.url}${path}`, { method, bearer, ...(body === undefined ? {} : { body }) });

describe('what ends a session at once', () => {
  /** Each event must cut the visitor's connection. */
  const causes: Record<
    string,
    { reason: string; act(inside: Inside, person: { id: string; bearer: string }): Promise<unknown> }
  > = {
    'signing out': { reason: 'signed-out', act: (_, { bearer }) => api('POST', '/dmp_aa/api/v1/auth/logout', bearer, {}) },
    'signing out everywhere': {
      reason: 'signed-out',
      act: (_, { bearer }) => api('POST', '/dmp_aa/api/v1/auth/allTokenLogout', bearer, {}),
    },
    'losing the role': {
      reason: 'permission-lost',
      act: (_, { id }) => {
        const org = fixture.scope.organizationId;
        return api('PUT', '/dmp_aa/api/v1/roles/', fixture.bearer, { id, original: `r.${org}.super`, target: `r.${org}.vendor` });
      },
    },
    'losing the account': {
      reason: 'signed-out',
      act: (_, { id }) => api('DELETE', `/dmp_aa/api/v1/accounts/${id}`, fixture.bearer),
    },
    'deleting the device': {
      reason: 'device-gone',
      act: ({ device }) =>
        api('DELETE', '/data_manager/v1/dm/devices', fixture.bearer, { org: fixture.scope.organizationId, devices: [device.id] }),
    },
    'ending the subscription': {
      reason: 'not-subscribed',
      act: async ({ device }) => {
        const main = await fixture.server.seeding.account(fixture.main, `${newId()}@remote.invalid`, 'main');
        const body = { org: fixture.scope.organizationId, device: device.id, started: '01/01/2026', expired: '01/02/2026' };
        return api('PATCH', '/data_manager/v1/dm/device/subscription', await fixture.server.seeding.bearer(main), body);
      },
    },
    'a router that goes offline': {
      reason: 'offline',
      act: async ({ device }) => {
        device.router.cutConnection();
        return { status: 200, text: '' };
      },
    },
    'a tunnel that breaks': {
      reason: 'tunnel-lost',
      act: async ({ device }) => {
        device.router.cutTunnel();
        return { status: 200, text: '' };
      },
    },
  };

  test.each(Object.entries(causes))("RMT-03-partial %s cuts the visitor's connection", async (_cause, { reason, act }) => {
    const person = await fixture.another();
    const inside = await getInside(person.bearer);
    const response = (await act(inside, person)) as { status: number; text: string };
    expect(response.status, response.text).toBe(200);
    await inside.out;
    expect(await fixture.ended(inside.device)).toBe(reason);
    expect(await isPortClosed(inside.port)).toBe(true);
    await until(() => !inside.device.router.hasTunnel);
  });

  test.each([
    ['signing out', 'signed-out'],
    ['losing the role', 'permission-lost'],
  ] as const)('RMT-03-partial %s while a session opens ends it before its router connects', async (cause, reason) => {
    // Without the regular check.
    const opening = await openRemoteFixture({ remote: { watchMs: 3_600_000 } });
    const person = await opening.another();
    const device = await opening.scripted({ onTunnel: () => {} });
    const response = opening.call('connectDevice', device, 'ssh', person.bearer);
    await until(() => device.router.commands.includes('X_HIGHLINE_OpenTunnel()'));
    const { organizationId: org } = opening.scope;
    const [method, path, bearer, body] =
      cause === 'signing out'
        ? ['POST', '/dmp_aa/api/v1/auth/logout', person.bearer, {}]
        : [
            'PUT',
            '/dmp_aa/api/v1/roles/',
            opening.bearer,
            { id: person.id, original: `r.${org}.super`, target: `r.${org}.vendor` },
          ];
    expect((await send(`${opening.server.url}${path}`, { method, bearer, body })).status).toBe(200);
    expect(await opening.ended(device)).toBe(reason);
    expect((await response).status).toBe(504);
    await opening.close();
  });

  test("RMT-03-partial a transfer to another organization cuts the connection, and neither organization has the other's session", async () => {
    const inside = await getInside();
    const target = await fixture.server.seeding.organization(fixture.main, 'Elsewhere');
    const main = await fixture.server.seeding.bearer(
      await fixture.server.seeding.account(fixture.main, `${newId()}@remote.invalid`, 'main'),
    );
    const body = { target: target.organizationId, serials: [inside.device.serial] };
    expect((await api('POST', '/data_manager/v1/dm/org/device', main, body)).status).toBe(200);
    await inside.out;
    expect(await fixture.ended(inside.device)).toBe('device-gone');
    const admin = await fixture.server.seeding.bearer(
      await fixture.server.seeding.account(target, `${newId()}@remote.invalid`, 'admin'),
    );
    const query = new URLSearchParams({ org: target.organizationId, device: inside.device.id, kind: 'remote' });
    const timeline = await api('GET', `/data_manager/v1/dm/device/timeline?${query.toString()}`, admin);
    // The router's events moved with the device; the names of users did not.
    expect(timeline.json<{ result: { by: string }[] }>().result.map(({ by }) => by)).toEqual(['', '']);
  });

  test('RMT-03-partial deleting the organization cuts the connection', async () => {
    const closing = await openRemoteFixture();
    const device = await closing.scripted();
    const { port } = (await closing.call('connectDevice', device)).json<{ port: number }>();
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => {});
    const out = once(socket, 'close');
    const main = await closing.server.seeding.bearer(
      await closing.server.seeding.account(closing.main, `${newId()}@remote.invalid`, 'main'),
    );
    const request = { method: 'DELETE', bearer: main, body: { org: closing.scope.organizationId } };
    const deleted = await send(`${closing.server.url}/data_manager/v1/dm/org`, request);
    expect(deleted.json()).toEqual({ result: { deleted: 1, devices: 1 } });
    await out;
    // Its users are signed out and its devices go with the same commit.
    expect(['device-gone', 'signed-out']).toContain(await closing.ended(device));
    expect(await isPortClosed(port)).toBe(true);
    await closing.close();
  });

  test('RMT-03-partial the same event on another account leaves it open', async () => {
    const inside = await getInside();
    const other = await fixture.another();
    await api('POST', '/dmp_aa/api/v1/auth/logout', other.bearer, {});
    inside.socket.write('still');
    const [echo] = (await once(inside.socket, 'data')) as [Buffer];
    expect(echo.toString()).toBe('still');
    await fixture.cancel(inside.device);
    await inside.out;
  });
});

describe('ends by timeout', () => {
  test('RMT-02-partial at zero the port closes and the router deletes the credentials; an open shell continues until it is left', async () => {
    const device = await fixture.device();
    const way = await fixture.open(device);
    const client = await signInBySsh(way);
    expireAll();
    await until(() => isPortClosed(way.port));
    expect(await runBySsh(client, 'uptime')).not.toBe('');
    expect(await fixture.endsOf(device)).toEqual(['open']);
    client.end();
    expect(await fixture.ended(device)).toBe('expired');
    // The same name and password are invalid in the next session.
    const next = await fixture.open(device);
    await expect(signInBySsh({ ...way, port: next.port })).rejects.toThrow(/authentication/u);
    await fixture.cancel(device);
  });

  test('RMT-02-partial at zero a web page accepts no new browser; a connected one continues', async () => {
    const http = createServer((_incoming, response) => response.end('the page'));
    const device = await fixture.scripted({ service: (socket) => void http.emit('connection', socket) });
    const { url } = await fixture.open(device, 'gui');
    const ask = (headers: Record<string, string> = {}) => requestByName(url, headers);
    const first = await ask();
    const pass = /highline_visitor=[^;]+/u.exec(String(first.headers['set-cookie']))![0];
    expireAll();
    const shut = await ask();
    expect([shut.status, shut.text]).toEqual([403, expect.stringContaining('The credentials have expired')]);
    expect(await ask({ cookie: pass })).toMatchObject({ status: 200, text: 'the page' });
    expect((await ask({ cookie: 'highline_visitor=another' })).status).toBe(403);
    // One that a page of another router set for the whole domain does not keep the browser out.
    expect(await ask({ cookie: `highline_visitor=another; ${pass}` })).toMatchObject({ status: 200, text: 'the page' });
    // As many characters as the right value has, and one byte more: rejected like any other.
    expect((await ask({ cookie: `highline_visitor=\u00e9${'a'.repeat(31)}` })).status).toBe(403);
    expect(await fixture.endsOf(device)).toEqual(['open']);
    await fixture.cancel(device);
    expect((await ask({ cookie: pass })).status).toBe(410);
  });

  test('RMT-02-partial unfetched or unused credentials end the session when they expire', async () => {
    const unfetched = await fixture.scripted();
    expect((await fixture.call('connectDevice', unfetched)).status).toBe(200);
    const unused = await fixture.scripted();
    await fixture.open(unused);
    expireAll();
    expect([await fixture.ended(unfetched), await fixture.ended(unused)]).toEqual(['expired', 'expired']);
    await until(() => unused.router.commands.includes('X_HIGHLINE_RevokeAccess()'));
  });
});

describe('faults while opening', () => {
  test('a router that does not connect, one that does not answer and one that disconnects each end as unanswered, and free the slot', async () => {
    const hasty = await openRemoteFixture({ remote: { responseMs: 500 } });
    const absent = await hasty.scripted({ onTunnel: () => {} });
    const silent = await hasty.scripted({ onOrder: () => 'silent' });
    const broken = await hasty.scripted({ onTunnel: (router) => void router.stop() });
    const devices = [absent, silent, broken];
    const responses = await Promise.all(devices.map((device) => hasty.call('connectDevice', device)));
    for (const response of responses) expect([response.status, response.error().key]).toEqual([504, 'remote.no_answer']);
    for (const device of devices) expect(await hasty.endsOf(device)).toEqual(['no-answer']);
    await hasty.close();
  });

  test('RMT-05-partial a router that connects and then rejects the request is cut off', async () => {
    const device = await fixture.scripted({
      onOrder: async ({ command, args }) => {
        if (!command.includes('OpenTunnel')) return 'silent';
        await device.router.openTunnel(args, { name: 'ssh' });
        return { message: 'No shell here' };
      },
    });
    expect((await fixture.call('connectDevice', device)).text).toContain('No shell here');
    expect(await fixture.ended(device)).toBe('rejected');
    await until(() => !device.router.hasTunnel);
  });

  test('a caller who leaves before the answer leaves nothing open, and a concurrent cancel takes effect', async () => {
    const device = await fixture.scripted({ onTunnel: () => {} });
    const leaving = new AbortController();
    const body = JSON.stringify({ org: fixture.scope.organizationId, serial: device.serial, type: 'ssh' });
    const headers = { authorization: `Bearer ${fixture.bearer}`, 'content-type': 'application/json' };
    const url = `${fixture.server.url}/data_manager/v1/dm/cmds/connectDevice`;
    const left = fetch(url, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => 'left');
    await until(() => device.router.commands.includes('X_HIGHLINE_OpenTunnel()'));
    leaving.abort();
    expect(await left).toBe('left');
    expect(await fixture.ended(device)).toBe('aborted');

    const again = fixture.call('connectDevice', device);
    await until(() => device.router.commands.filter((command) => command.includes('OpenTunnel')).length === 2);
    expect((await fixture.cancel(device)).json()).toEqual({ result: { ended: true } });
    expect((await again).status).toBe(504);
    expect(await fixture.endsOf(device)).toEqual(['cancelled', 'aborted']);
  });
});

describe('an end that is written slowly', () => {
  test("RMT-03-partial Cancel ends the session in the user's name, although the regular check runs while it is written", async () => {
    const owned = await openRemoteFixture({ remote: { watchMs: 50 } });
    const { owner } = owned.server;
    const seenAt = async () => (await owner.query<{ at: string }>('select seen_at::text as at from remote_nodes')).rows[0]?.at;
    // Another open session: without it the check would leave nothing to wait for.
    await owned.open(await owned.scripted());
    const device = await owned.scripted();
    await owned.open(device);
    // The first write of an end waits for lock 2, which this test has; others pass.
    await owner.query(`
      create function wait_first() returns trigger language plpgsql as $$ begin
        if pg_try_advisory_xact_lock(1) then perform pg_advisory_xact_lock(2); end if;
        return null;
      end $$;
      create trigger wait_first before update on remote_sessions for each statement execute function wait_first();
      select pg_advisory_lock(2);`);
    const cancelled = owned.cancel(device);
    await until(async () => (await owner.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rows[0]);
    // Twice: the first change may come from a check that began earlier.
    for (let round = 0; round < 2; round += 1) {
      const before = await seenAt();
      await until(async () => (await seenAt()) !== before);
    }
    await owner.query('select pg_advisory_unlock(2)');
    expect((await cancelled).json()).toEqual({ result: { ended: true } });
    const log = await owner.query<{ actor_role: string }>(
      "select actor_role from audit_entries where action like 'Ended%' and detail->>'serial' = $1",
      [device.serial],
    );
    expect(log.rows).toEqual([{ actor_role: 'admin' }]);
    await owned.close();
  });
});

describe('a server that is gone', () => {
  /** A session that exists only in the database. */
  const leave = async ({ scope, server, adminId, scripted }: RemoteFixture, node: string) => {
    const device = await scripted();
    await server.owner.query(
      `insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email, login_hash)
       values ($1, $2, $3, $4, $5, 'ssh', $6, $7, 'x', '')`,
      [scope.organizationId, newId(), scope.mainAccountId, device.id, device.routerId, node, adminId],
    );
    return device;
  };

  test('sessions of another process are ended when it is silent, and left alone while it lives', async () => {
    await fixture.server.owner.query(
      "insert into remote_nodes values ('silent', now() - interval '2 minutes'), ('busy', now() + interval '1 hour')",
    );
    const [silent, busy] = [await leave(fixture, 'silent'), await leave(fixture, 'busy')];
    expect(await fixture.ended(silent)).toBe('server-restarted');
    expect(await fixture.endsOf(busy)).toEqual(['open']);
  });

  test('RMT-03-partial a cancel at another server of the same database cuts the connection here', async () => {
    const database = await createTestDatabase();
    const masterKey = randomBytes(32).toString('hex');
    const here = await openRemoteFixture({ database, masterKey });
    const folder = await mkdtemp(join(tmpdir(), 'highline-second-node-'));
    const alongside = await startTestServer({ database, masterKey, folder });
    const device = await here.scripted();
    const { port } = (await here.call('connectDevice', device)).json<{ port: number }>();
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => {});
    const out = once(socket, 'close');
    const body = { org: here.scope.organizationId, device: device.id };
    const cancelled = await send(`${alongside.url}/data_manager/v1/dm/device/arctive`, { bearer: here.bearer, body });
    expect(cancelled.json()).toEqual({ result: { ended: true } });
    await out;
    expect(await here.endsOf(device)).toEqual(['cancelled']);
    await alongside.close();
    await here.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  test("RMT-01-partial Connect at a process without the router's connection opens the session at the one with it, and returns its data", async () => {
    const database = await createTestDatabase();
    const masterKey = randomBytes(32).toString('hex');
    const here = await openRemoteFixture({ database, masterKey });
    const folder = await mkdtemp(join(tmpdir(), 'highline-second-node-'));
    const alongside = await startTestServer({ database, masterKey, folder, remote: { claimMs: 30_000 } });
    const at = (name: string, serial: string, signal?: AbortSignal) =>
      fetch(`${alongside.url}/data_manager/v1/dm/cmds/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${here.bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ org: here.scope.organizationId, serial, type: 'ssh' }),
        ...(signal === undefined ? {} : { signal }),
      });
    const device = await here.device();
    const opened = (await (await at('connectDevice', device.serial)).json()) as { url: string; port: number };
    const issued = (await (await at('getOneTimeSecret', device.serial)).json()) as {
      content: { username: string; password: string };
    };
    const client = await signInBySsh({ ...opened, ...issued.content });
    expect(await runBySsh(client, 'uptime')).not.toBe('');
    const again = (await (await at('getOneTimeSecret', device.serial)).json()) as { error: { key: string } };
    expect(again.error.key).toBe('remote.secret_told');
    client.end();

    const lame = await here.scripted({ onTunnel: () => {} });
    const leaving = new AbortController();
    const pending = at('connectDevice', lame.serial, leaving.signal).catch(() => 'left');
    await until(() => lame.router.commands.includes('X_HIGHLINE_OpenTunnel()'));
    leaving.abort();
    expect(await pending).toBe('left');
    expect(await here.ended(lame)).toBe('aborted');

    await alongside.close();
    await here.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  test('a router without a process is offline for Connect, even if its row says online', async () => {
    const hasty = await openRemoteFixture({ remote: { claimMs: 200 } });
    const device = await hasty.scripted();
    await device.router.stop();
    await until(async () => {
      const row = await hasty.server.database.read
        .selectFrom('devices')
        .select('presence')
        .where('id', '=', device.id)
        .executeTakeFirst();
      return row?.presence === 'offline';
    });
    await hasty.server.owner.query("update devices set presence = 'online' where id = $1", [device.id]);
    expect((await hasty.call('connectDevice', device)).error().key).toBe('remote.offline');
    await hasty.close();
  });

  test('a server that stops ends its sessions, and notifies the routers; sessions left open by a crash are ended at the next start', async () => {
    const database = await createTestDatabase();
    const stopping = await openRemoteFixture({ database });
    const device = await stopping.scripted();
    await stopping.open(device);
    const { rows } = await stopping.server.owner.query<{ node: string }>('select node from remote_nodes');
    const crashed = await leave(stopping, rows[0]!.node);
    await stopping.close();
    expect(device.router.commands.slice(-2)).toEqual(['X_HIGHLINE_RevokeAccess()', 'X_HIGHLINE_CloseTunnel()']);
    const next = await openRemoteFixture({ database });
    const ends = await next.server.owner.query<{ device_id: string; end_reason: string }>(
      'select device_id, end_reason from remote_sessions order by id',
    );
    expect(ends.rows).toEqual([
      { device_id: device.id, end_reason: 'server-stopped' },
      { device_id: crashed.id, end_reason: 'server-restarted' },
    ]);
    await next.close();
    await database.close();
  });
});
