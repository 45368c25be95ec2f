import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect as connectTcp, createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { remoteClients } from '@highline/contract';
import { createSimulatedPlatform, modemNumbers, type AgentStartOptions, type Platform } from '@highline/router';
import ssh from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { newId } from '../../../kernel/ids.ts';
import { createTestAuthority } from '../../../testing/certificates.ts';
import { send, until } from '../../../testing/call.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { isPortClosed, openRemoteFixture, requestByName, type RemoteFixture } from '../../../testing/remote-fixture.ts';
import { startTestServer } from '../../../testing/server.ts';

// A whole server and real router agents; clients are real servers of this process, which the router's networks lead to.

let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture({ remote: { watchMs: 300 } });
});
afterAll(() => fixture.close());

type Networks = NonNullable<Platform['networks']>;
type Device = Awaited<ReturnType<RemoteFixture['device']>>;

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

async function portOf(server: Server): Promise<number> {
  servers.add(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Networks of a vehicle that lead every client to one server of this process. */
const leadTo =
  (port: number, changes: Partial<Networks> = {}): NonNullable<AgentStartOptions['platform']> =>
  (router, scheduler) => {
    const { carrier, apn } = router;
    const platform = createSimulatedPlatform({ seed: 7, scheduler, modem: { ...modemNumbers(router), carrier, apn } });
    const dial: Networks['dial'] = async (_address, _port, signal) => {
      const socket = connectTcp(port, '127.0.0.1');
      await once(socket, 'connect', { signal });
      return socket;
    };
    return { ...platform, networks: { ...platform.networks!, dial, ...changes } };
  };

const allowed: remoteClients.ClientRule = {
  roles: ['admin', 'user'],
  ranges: ['192.168.1.0/24'],
  ports: [
    { from: 22, to: 22 },
    { from: 80, to: 81 },
    { from: 443, to: 443 },
  ],
};

const save = (rule: object, bearer = fixture.bearer) =>
  send(`${fixture.server.url}/data_manager/v1/dm/clients/access`, {
    method: 'PUT',
    bearer,
    body: { org: fixture.scope.organizationId, ...rule },
  });

async function accessTo({ id }: { readonly id: string }, bearer = fixture.bearer): Promise<remoteClients.ClientAccess> {
  const query = new URLSearchParams({ org: fixture.scope.organizationId, device: id });
  const response = await send(`${fixture.server.url}/data_manager/v1/dm/device/clients/access?${query.toString()}`, { bearer });
  expect(response.status).toBe(200);
  return response.json<{ result: remoteClients.ClientAccess }>().result;
}

/** The address pair of a device that is built into the vehicle, as its list of clients shows it. */
async function clientOf({ id }: { readonly id: string }, name = 'camera-recorder'): Promise<{ mac: string; address: string }> {
  const query = new URLSearchParams({ org: fixture.scope.organizationId, device: id, part: 'clients' });
  const response = await send(`${fixture.server.url}/data_manager/v1/dm/device/networks?${query.toString()}`, {
    bearer: fixture.bearer,
  });
  const { clients } = response.json<{ result: { clients: { name: string; mac: string; addresses: string[] }[] } }>().result;
  const found = clients.find((each) => each.name === name)!;
  return { mac: found.mac, address: found.addresses[0]! };
}

type Opened = { statusCode: number; url: string; port: number; certificate: string | null; from: string | null };

const request = async (device: Device, more: object = {}, bearer = fixture.bearer) =>
  fixture.post('cmds/openClient', { device: device.id, ...(await clientOf(device)), port: 80, service: 'http', ...more }, bearer);

async function open(device: Device, more: object = {}, bearer = fixture.bearer): Promise<Opened> {
  const response = await request(device, more, bearer);
  expect([response.status, response.text]).toEqual([200, expect.stringContaining('"statusCode":200')]);
  return response.json<Opened>();
}

const end = ({ id: device }: { readonly id: string }, bearer = fixture.bearer) =>
  fixture.post('cmds/endClient', { device }, bearer);

/** What the browser sends back. */
const cookieOf = (headers: { readonly 'set-cookie'?: string[] | undefined }) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]!).join('; ');

async function logOf(serial: string): Promise<{ action: string; detail: Record<string, unknown> }[]> {
  const { rows } = await fixture.server.owner.query<{ action: string; detail: Record<string, unknown> }>(
    `select action, detail from audit_entries where chain_id = $1 and action like '%client%' and detail ->> 'serial' = $2 order by seq`,
    [fixture.scope.organizationId, serial],
  );
  return rows;
}

describe('the rule of an organization', () => {
  test('LIV-08-partial no one may at first; a role that is not allowed, and what the rule leaves out, reads so', async () => {
    const device = await fixture.device();
    expect(await accessTo(device)).toMatchObject({ obstacle: 'off', rule: { roles: [] }, own: null, busy: false });
    expect((await request(device)).error()).toMatchObject({ key: 'client.off' });
    expect((await save({ ...allowed, roles: ['admin'] })).status).toBe(200);
    const user = await fixture.another('user');
    expect((await accessTo(device, user.bearer)).obstacle).toBe('role');
    expect((await request(device, {}, user.bearer)).error()).toMatchObject({ key: 'client.off' });
    for (const port of [25, 82]) expect((await request(device, { port })).error().key).toBe('client.not_allowed');
    expect((await save(allowed, user.bearer)).status).toBe(403);
    expect(await fixture.endsOf(device)).toEqual([]);
    const { rows } = await fixture.server.owner.query<{ detail: { after: object } }>(
      `select detail from audit_entries where chain_id = $1 and action = 'Changed who may open which clients of vehicles'`,
      [fixture.scope.organizationId],
    );
    expect(rows.map(({ detail }) => detail.after)).toEqual([{ ...allowed, roles: ['admin'] }]);
  });

  test('LIV-08-partial wrong rules are rejected by field, overlapping ones are joined', async () => {
    expect((await save({ ...allowed, ranges: ['fd00::/8'] })).error()).toMatchObject({
      key: 'client.range_invalid',
      field: 'ranges',
    });
    expect((await save({ ...allowed, ranges: [] })).error()).toMatchObject({ key: 'client.rule_empty' });
    for (const port of [0, 65_536, 1.5, '80'])
      expect((await save({ ...allowed, ports: [{ from: port, to: 65_535 }] })).status).toBe(400);
    expect((await save({ ...allowed, roles: ['main'] })).status).toBe(400);
    expect((await save({ ...allowed, ranges: Array.from({ length: 21 }, () => '10.0.0.0/8') })).status).toBe(400);
    const saved = await save({ ...allowed, ranges: ['192.168.1.9/24', '192.168.1.0/25'] });
    expect(saved.json<{ result: remoteClients.ClientRule }>().result.ranges).toEqual(['192.168.1.0/24']);
  });
});

describe('a page of a client', () => {
  beforeAll(() => save(allowed));

  test('LIV-08-partial is opened by a user who may, under a name of its own, for one browser, and all of it is in the log', async () => {
    await save(allowed);
    const device = await fixture.device();
    const user = await fixture.another('user');
    const { url, certificate, from } = await open(device, {}, user.bearer);
    expect([certificate, from]).toEqual([null, null]);
    const first = await requestByName(url);
    expect(first.text).toContain('<h1>Camera recorder</h1>');
    const cookie = cookieOf(first.headers);
    expect((await requestByName(`${url}picture.svg`, { cookie })).text).toContain('CAM 1');
    // Who only knows the name comes too late.
    const second = await requestByName(url);
    expect([second.status, second.text]).toEqual([403, expect.stringContaining('open in another browser')]);
    expect((await accessTo(device, user.bearer)).own).toMatchObject({ address: '192.168.1.11', port: 80, service: 'http' });
    expect(await accessTo(device)).toMatchObject({ own: null, busy: true });
    // Another user cannot end it, and the present one is the only one.
    expect((await end(device, (await fixture.another('user')).bearer)).json()).toEqual({ result: { ended: false } });
    expect((await request(device)).error().key).toBe('remote.exists');
    expect((await end(device, user.bearer)).json()).toEqual({ result: { ended: true } });
    expect((await requestByName(url, { cookie })).status).toBe(410);
    const client = { ...(await clientOf(device)), port: 80, service: 'http' };
    const entries = await logOf(device.serial);
    expect(entries).toMatchObject([
      { action: `Opened a session to client 192.168.1.11:80 of device ${device.serial}`, detail: { client } },
      {
        action: `Ended the session to client 192.168.1.11:80 of device ${device.serial}`,
        detail: { client, reason: 'cancelled', seconds: expect.any(Number) },
      },
    ]);
    expect(entries[1]!.detail['bytesReceived']).toBeGreaterThan(first.text.length);
    expect(entries[1]!.detail['bytesSent']).toBeGreaterThan(100);
  });

  test('LIV-08-partial two clients share no name, and so no cookie', async () => {
    const device = await fixture.device();
    const names: string[] = [];
    for (const name of ['camera-recorder', 'ticket-printer']) {
      const { url } = await open(device, await clientOf(device, name));
      names.push(new URL(url).hostname);
      await end(device);
    }
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => /^[0-9a-f]{32}\.localhost$/u.test(name))).toBe(true);
  });

  test('LIV-08-partial HTTPS with a certificate that no one signed works, and the answer says which it is; redirects stay here; WebSockets pass', async () => {
    const { cert, key } = await (await createTestAuthority('Camera')).issue({ isServer: true });
    const server = createHttps({ cert, key }, (incoming, response) => {
      const location = {
        '/own': 'https://192.168.1.11/home?a=1',
        '/name': `https://${incoming.headers.host ?? ''}/home`,
        '/plain': 'http://192.168.1.11/home',
        '/elsewhere': 'https://example.com/x',
        '/port': 'https://192.168.1.11:8443/',
      }[incoming.url ?? ''];
      if (location === undefined) response.end(`encrypted ${String(incoming.headers['x-forwarded-proto'])}`);
      else response.writeHead(302, { location }).end();
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    const device = await fixture.device({ platform: leadTo(await portOf(server)) });
    const { url, certificate } = await open(device, { port: 443, service: 'https' });
    expect(certificate).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/u);
    const first = await requestByName(url);
    expect(first.text).toBe('encrypted http');
    const cookie = cookieOf(first.headers);
    const locate = async (path: string) => {
      const { status, headers } = await requestByName(`${url}${path}`, { cookie });
      return status === 302 ? headers.location : status;
    };
    expect(await Promise.all(['own', 'name', 'plain', 'elsewhere', 'port'].map(locate))).toEqual([
      '/home?a=1',
      '/home',
      502,
      'https://example.com/x',
      'https://192.168.1.11:8443/',
    ]);
    const { host, port } = new URL(url);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { host, cookie } });
    await once(socket, 'open');
    socket.send('ping');
    const [echo] = (await once(socket, 'message')) as [Buffer];
    expect(echo.toString()).toBe('ping');
    const closed = once(socket, 'close');
    await end(device);
    await closed;
    sockets.close();
  });

  test('LIV-08-partial a client that wants HTTPS is not opened as HTTP in a circle', async () => {
    const server = createHttp((incoming: IncomingMessage, response) =>
      response.writeHead(301, { location: `https://${incoming.headers.host ?? ''}${incoming.url ?? ''}` }).end(),
    );
    const device = await fixture.device({ platform: leadTo(await portOf(server)) });
    const { url } = await open(device);
    const { status, text } = await requestByName(url);
    expect([status, text]).toEqual([502, expect.stringContaining('This device wants HTTPS')]);
    await end(device);
  });
});

describe('a port of a client', () => {
  beforeAll(() => save(allowed));

  test('LIV-08-partial is reached by the address that opened it alone, with several windows of a channel, and closes with the session', async () => {
    // That 50 MB arrive whole and fill nothing is proven at the router's tunnel.
    const size = 8 * 1_048_576;
    const server = createTcp((socket) => {
      socket.on('error', () => undefined);
      socket.end(Buffer.alloc(size, 'x'));
    });
    const device = await fixture.device({ platform: leadTo(await portOf(server)) });
    const { port, from, url } = await open(device, { port: 81, service: 'tcp' });
    expect([from, url]).toEqual(['127.0.0.1', '127.0.0.1']);
    // It is no session to the router itself.
    expect((await fixture.call('getOneTimeSecret', device, 'ssh')).error().key).toBe('remote.not_connected');
    const unrelated = connectTcp({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    unrelated.on('error', () => undefined);
    await once(unrelated, 'close');
    expect(unrelated.bytesRead).toBe(0);
    const own = connectTcp(port, '127.0.0.1');
    let received = 0;
    for await (const part of own) received += (part as Buffer).length;
    expect(received).toBe(size);
    await end(device);
    expect(await isPortClosed(port)).toBe(true);
    const [, ended] = await logOf(device.serial);
    // What was sent to the first connection, by which the port is tried, is counted too.
    expect(ended!.detail['bytesReceived']).toBeGreaterThanOrEqual(size);
  });

  test('LIV-08-partial SSH of a client in the browser: its own sign-in, recorded as the organization wishes, at most once', async () => {
    const { private: hostKey } = ssh.utils.generateKeyPairSync('ecdsa', { bits: 256 });
    const server = new ssh.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (attempt) => {
        if (attempt.method === 'password' && attempt.username === 'pi' && attempt.password === 'raspberry') attempt.accept();
        else attempt.reject(['password']);
      });
      client.on('session', (accept) => {
        const session = accept();
        session.on('pty', (acceptPty) => acceptPty());
        session.on('shell', (acceptShell) => acceptShell().write('pi@camera:~$ '));
      });
    });
    const device = await fixture.device({ platform: leadTo(await portOf(server)) });
    const user = await fixture.another('user');
    const target = { device: device.id, ...(await clientOf(device)), port: 22 };
    const signIn = { username: 'pi', password: 'raspberry' };
    const recorded = { org: fixture.scope.organizationId, recorded: true, days: 30 };
    const recordings = `${fixture.server.url}/data_manager/v1/dm/recordings`;
    await send(`${recordings}/settings`, { method: 'PUT', bearer: fixture.bearer, body: recorded });
    const opened = await fixture.post('cmds/openClientTerminal', { ...target, ...signIn }, user.bearer);
    expect(opened.text).toContain('"statusCode":200');
    expect(opened.text).not.toContain('raspberry');
    const url = `${fixture.server.url.replace('http', 'ws')}/terminal`;
    const socket = new WebSocket(url, ['highline.terminal', opened.json<{ ticket: string }>().ticket]);
    const [prompt] = (await once(socket, 'message')) as [Buffer];
    expect(prompt.toString()).toBe('pi@camera:~$ ');
    socket.close();
    expect(await fixture.ended(device)).toBe('cancelled');
    expect(JSON.stringify(await logOf(device.serial))).not.toContain('raspberry');
    // The recording says to which client it led, in the list, in its file and in the file of the list.
    const read = (path: string) => send(`${recordings}${path}org=${fixture.scope.organizationId}`, { bearer: fixture.bearer });
    const [recording] = (await read(`?device=${device.id}&`)).json<{ result: { id: string }[] }>().result;
    const { mac, address } = target;
    expect(recording).toMatchObject({ serial: device.serial, client: { mac, address, port: 22 } });
    expect((await read(`/${recording!.id}/file?`)).text).toContain(`"title":"${device.serial} · ${address}:22 · `);
    expect((await read('/export?')).text).toContain(`${address}:22 (${mac})`);
    const wrong = await fixture.post('cmds/openClientTerminal', { ...target, username: 'pi', password: 'no' });
    const second = new WebSocket(url, ['highline.terminal', wrong.json<{ ticket: string }>().ticket]);
    const [, reason] = (await once(second, 'close')) as [number, Buffer];
    expect(reason.toString()).toBe('sign-in-failed');
  });
});

describe('two processes', () => {
  test.each(['cmds/endClient', 'device/arctive'])(
    'LIV-08-partial the log has all bytes of a session that another one ends: %s',
    async (path) => {
      const [usual, database, masterKey] = [fixture, await createTestDatabase(), randomBytes(32).toString('hex')];
      const folder = await mkdtemp(join(tmpdir(), 'highline-second-node-'));
      // Without the regular check, which stores the bytes.
      fixture = await openRemoteFixture({ database, masterKey, remote: { watchMs: 3_600_000 } });
      const alongside = await startTestServer({ database, masterKey, folder });
      await save(allowed);
      const device = await fixture.device();
      const { text } = await requestByName((await open(device)).url);
      const body = { org: fixture.scope.organizationId, device: device.id };
      const ended = await send(`${alongside.url}/data_manager/v1/dm/${path}`, { bearer: fixture.bearer, body });
      expect(ended.json()).toEqual({ result: { ended: true } });
      const [, entry] = await logOf(device.serial);
      expect(entry!.detail).toMatchObject({ reason: 'cancelled' });
      expect(entry!.detail['bytesReceived']).toBeGreaterThan(text.length);
      await alongside.close();
      await fixture.close();
      await database.close();
      await rm(folder, { recursive: true });
      fixture = usual;
    },
  );
});

test('LIV-08-partial a session of a process that does not answer is ended all the same', async () => {
  const { scope, server, adminId } = fixture;
  const device = await fixture.scripted();
  const node = newId();
  await server.owner.query("insert into nodes (id, name, version, lease_until) values ($1, $2, '1', now() + interval '1 hour')", [
    node,
    `silent ${node}`,
  ]);
  await server.owner.query(
    `insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email, login_hash,
        client_mac, client_address, client_port, client_service)
      values ($1, $2, $3, $4, $5, 'gui', $6, $7, 'x', '', '00:1B:54:00:00:01', '192.168.1.11', 80, 'http')`,
    [scope.organizationId, newId(), scope.mainAccountId, device.id, device.routerId, `silent ${node}`, adminId],
  );
  expect((await end(device)).json()).toEqual({ result: { ended: true } });
  expect(await fixture.endsOf(device)).toEqual(['cancelled']);
  await server.owner.query('delete from nodes where id = $1', [node]);
});

describe('what is rejected', () => {
  beforeAll(() => save(allowed));

  test('LIV-08-partial targets outside of the vehicle, without an IPv4 address, of another client, or of another organization', async () => {
    const device = await fixture.device();
    const { mac } = await clientOf(device);
    await save({ ...allowed, ranges: ['0.0.0.0/0'], ports: [{ from: 1, to: 65_535 }] });
    const keyOf = async (more: object) => (await request(device, more)).error().key;
    for (const address of ['127.0.0.1', '192.168.1.1', '192.168.2.11', '169.254.169.254', '10.0.0.1', '255.255.255.255'])
      expect([address, await keyOf({ address })]).toEqual([address, 'client.outside']);
    for (const address of ['fd00::1', 'fe80::1%br-lan', 'camera.local', '', '192.168.1.11/32', '192.168.1.011', '3232235787'])
      expect([address, await keyOf({ address })]).toEqual([address, 'client.address_invalid']);
    for (const port of [0, -1, 65_536]) expect(await keyOf({ port })).toBe('client.port_invalid');
    expect((await request(device, { port: 80.5 })).status).toBe(400);
    for (const other of ['', 'x', mac.replace(/..$/u, '00'), (await clientOf(device, 'ticket-printer')).mac])
      expect(await keyOf({ mac: other })).toBe('client.not_there');
    expect(await fixture.endsOf(device)).toEqual([]);
    await save(allowed);
    const sibling = await fixture.server.seeding.organization(fixture.main, 'Sibling of clients');
    const foreign = await fixture.server.seeding.bearer(
      await fixture.server.seeding.account(sibling, `${newId()}@remote.invalid`, 'admin'),
    );
    const body = { org: sibling.organizationId, device: device.id, mac, address: '192.168.1.11', port: 80, service: 'http' };
    for (const named of [device.id, newId(), 'x', ''])
      for (const call of ['openClient', 'endClient'])
        expect((await fixture.post(`cmds/${call}`, { ...body, device: named }, foreign)).status).toBe(404);
  });

  test('LIV-08-partial a port that is closed, and a router that does not offer it or is offline, are reported as messages', async () => {
    const device = await fixture.device();
    expect((await request(device, { port: 81 })).error().key).toBe('client.no_answer');
    expect(await fixture.endsOf(device)).toEqual(['no-answer']);
    // Without TLS at the other end.
    expect((await request(device, { service: 'https' })).error().key).toBe('client.no_answer');
    const old = await fixture.scripted({ isOld: true });
    expect((await accessTo(old)).obstacle).toBe('unsupported');
    const body = { device: old.id, mac: '00:1B:54:00:00:01', address: '192.168.1.11', port: 80, service: 'http' };
    expect((await fixture.post('cmds/openClient', body)).error().key).toBe('client.unsupported');
    await old.router.stop();
    await until(async () => (await accessTo(old)).obstacle === 'offline');
  });
});

describe('what ends a session', () => {
  beforeAll(() => save(allowed));

  test('LIV-08-partial a rule that no longer allows it', async () => {
    const device = await fixture.device();
    await open(device);
    await save({ ...allowed, ports: [{ from: 443, to: 443 }] });
    expect(await fixture.ended(device)).toBe('rule-changed');
    await save(allowed);
  });

  test('LIV-08-partial a role that was lowered', async () => {
    await save({ ...allowed, roles: ['admin'] });
    const device = await fixture.device();
    const other = await fixture.another();
    await open(device, {}, other.bearer);
    const org = fixture.scope.organizationId;
    const lowered = await send(`${fixture.server.url}/dmp_aa/api/v1/roles/`, {
      method: 'PUT',
      bearer: fixture.bearer,
      body: { id: other.id, original: `r.${org}.super`, target: `r.${org}.vendor` },
    });
    expect(lowered.status).toBe(200);
    expect(await fixture.ended(device)).toBe('permission-lost');
    await save(allowed);
  });

  test('LIV-08-partial a client that has another address, or left', async () => {
    const hosts: { current: ReturnType<Networks['hosts']> | undefined } = { current: undefined };
    const simulated: Partial<Networks> = {};
    const platform: NonNullable<AgentStartOptions['platform']> = (router, scheduler) => {
      const made = leadTo(1, simulated)(router, scheduler);
      const { networks } = made;
      return { ...made, networks: { ...networks!, hosts: () => hosts.current ?? networks!.hosts(), dial: networks!.dial } };
    };
    const server = createTcp((socket) => socket.on('error', () => undefined));
    const port = await portOf(server);
    simulated.dial = async () => {
      const socket = connectTcp(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const device = await fixture.device({ platform });
    const client = await clientOf(device);
    await open(device, { port: 81, service: 'tcp' });
    const moved = {
      ...client,
      name: 'camera-recorder',
      ipv6: '',
      radio: 0,
      signal: 0,
      since: 0,
      bytesSent: 0,
      bytesReceived: 0,
    } as const;
    hosts.current = [{ ...moved, address: '192.168.1.99' }];
    expect(await fixture.ended(device)).toBe('client-moved');
    hosts.current = undefined;
    await open(device, { ...client, port: 81, service: 'tcp' });
    hosts.current = [];
    expect(await fixture.ended(device)).toBe('client-moved');
  });
});
