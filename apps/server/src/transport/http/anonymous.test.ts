import type { Operation } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { send } from '../../testing/call.ts';
import { beginRequest, sendHead, type RawResponse } from '../../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { buildTenants, type Tenant } from '../../testing/tenants.ts';
import { ANONYMOUS_BYTES } from './collected-bodies.ts';

// Only the head of a request is sent: what is answered was decided before anything of its body was read.

let server: TestServer;
let tenant: Tenant;
let foreign: Tenant;

beforeAll(async () => {
  server = await startTestServer();
  ({ own: tenant, foreign } = await buildTenants(server.seeding));
});
afterAll(() => server.close());

const types = {
  none: 'application/json',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
};
const lengths: readonly Readonly<Record<string, string | number>>[] = [
  { 'content-length': 8_400_000 },
  { 'transfer-encoding': 'chunked' },
];

const headOf = (operation: Operation, headers: Readonly<Record<string, string | number>>): Promise<RawResponse> => {
  const path = operation.path.replaceAll(/\{\w+\}/gu, tenant.organizationId);
  return sendHead(server.url, {
    method: operation.method,
    path,
    headers: { 'content-type': types[operation.bodyKind], ...headers },
  });
};
const keyOf = ({ text }: RawResponse): unknown => (JSON.parse(text) as { error: { key: string } }).error.key;
const isClosed = ({ head }: RawResponse): boolean => head.includes('connection: close');

const [open, closed] = [
  allOperations.filter(({ scope }) => scope === 'public'),
  allOperations.filter(({ scope }) => scope !== 'public'),
];

describe('SEC-ANONYMOUS without a session', () => {
  test('every call is rejected by its head, and a connection with a large body is closed', async () => {
    expect(closed.length).toBeGreaterThan(200);
    for (const operation of closed)
      for (const length of lengths) {
        const response = await headOf(operation, length);
        expect([operation.id, response.status, keyOf(response), isClosed(response)]).toEqual([
          operation.id,
          401,
          'session.missing',
          true,
        ]);
      }
  });

  test('with a wrong bearer, a wrong cookie or a key that does not exist too', async () => {
    const operation = closed.find(({ id }) => id === 'organizations.transferDevices')!;
    const ofThese = [
      { authorization: 'Bearer x' },
      { cookie: 'vap=x', origin: server.url },
      { authorization: `Bearer hlk_${'x'.repeat(43)}` },
    ];
    for (const headers of ofThese) expect((await headOf(operation, { ...headers, ...lengths[0] })).status).toBe(401);
  });

  test('a HEAD is rejected as its GET is', async () => {
    const readable = closed.filter(({ method, sends }) => method === 'GET' && sends !== 'events');
    for (const operation of readable) {
      const response = await headOf({ ...operation, method: 'HEAD' as 'GET' }, {});
      expect([operation.id, response.status]).toEqual([operation.id, 401]);
    }
  });

  test('a small body is not needed either, and its connection stays open', async () => {
    for (const operation of closed) {
      const response = await headOf(operation, { 'content-length': 200_000 });
      expect([operation.id, response.status, isClosed(response)]).toEqual([operation.id, 401, false]);
    }
  });

  test('the calls that need none accept short bodies only', async () => {
    expect(open.map(({ id, maxBodyBytes }) => [id, maxBodyBytes <= ANONYMOUS_BYTES])).toEqual(open.map(({ id }) => [id, true]));
    for (const operation of open) {
      const response = await headOf(operation, lengths[0]!);
      expect([operation.id, response.status, keyOf(response), isClosed(response)]).toEqual([
        operation.id,
        413,
        'request.too_large',
        true,
      ]);
      // That of a GET is not read at all.
      if (operation.method === 'GET') continue;
      const begin = `4001\r\n{"email":"${'x'.repeat(16_375)}\r\n`;
      const { method, path } = operation;
      const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const { socket, response: responded } = beginRequest(server.url, { method, path, headers: chunked }, begin);
      expect([operation.id, (await responded).status]).toEqual([operation.id, 413]);
      socket.destroy();
    }
  });

  test.each([
    ['POST', '/nowhere', 404],
    ['PUT', '/data_manager/v1/dm/nowhere', 404],
    ['POST', '/livez', 404],
    ['POST', '/openapi.json', 404],
    ['POST', '/dl/x', 404],
    ['POST', `/usp/${'x'.repeat(43)}`, 404],
    ['DELETE', '/', 404],
    ['OPTIONS', '/dmp_aa/api/v1/auth/token', 404],
  ])('%s %s is answered by its head', async (method, path, status) => {
    for (const length of lengths) {
      const response = await sendHead(server.url, { method, path, headers: { 'content-type': 'application/json', ...length } });
      expect([response.status, isClosed(response)]).toEqual([status, true]);
    }
  });

  test('of one network at most 32 bodies are waited for, the oldest of them make way, and a sign-in is answered meanwhile', async () => {
    const { path } = open.find(({ id }) => id === 'accounts.signIn')!;
    const headers = { 'content-type': 'application/json', 'content-length': 70 };
    const closed = new Set<number>();
    const slow = Array.from({ length: 72 }, (_, at) => {
      const { socket, response } = beginRequest(server.url, { method: 'POST', path, headers }, '{"ema');
      response.then(() => closed.add(at)).catch(() => {});
      socket.once('close', () => closed.add(at));
      return socket;
    });
    await vi.waitUntil(() => closed.size >= 40, { timeout: 120_000 });
    const responses = await Promise.all(Array.from({ length: 16 }, () => send(server.url + path, { body: {} })));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400));
    expect(closed.size).toBeLessThanOrEqual(56);
    for (const socket of slow) socket.destroy();
  });
});

test('SEC-ANONYMOUS a caller whose role may not make a call is rejected by its head', async () => {
  const forbidden = closed.filter(({ roles }) => !roles.includes('user'));
  expect(forbidden.length).toBeGreaterThan(50);
  for (const operation of forbidden) {
    const response = await headOf(operation, { authorization: `Bearer ${tenant.bearers.user}`, ...lengths[0] });
    expect([operation.id, response.status, keyOf(response), isClosed(response)]).toEqual([
      operation.id,
      403,
      'permission.denied',
      true,
    ]);
  }
});

test('SEC-ANONYMOUS an API key is rejected by the head of a call that it is not allowed', async () => {
  const body = { name: 'Narrow', operations: ['groups.list'] };
  const made = await send(`${server.url}/data_manager/v1/dm/api_keys`, { bearer: tenant.bearers.admin, body });
  const { secret } = made.json<{ secret: string }>();
  const operation = closed.find(({ id }) => id === 'groups.create')!;
  const response = await headOf(operation, { authorization: `Bearer ${secret}`, ...lengths[0] });
  expect([response.status, keyOf(response), isClosed(response)]).toEqual([403, 'key.not_allowed', true]);
});

test('SHR-08-partial of one account two large bodies are read at once and four wait unread; another tenant sends one meanwhile', async () => {
  const operation = closed.find(({ id }) => id === 'organizations.transferDevices')!;
  const begin = (bearer: string, length: number) => {
    const headers = { 'content-type': 'application/json', 'content-length': length, authorization: `Bearer ${bearer}` };
    return beginRequest(server.url, { method: 'POST', path: operation.path, headers });
  };
  const many = Array.from({ length: 8 }, () => begin(tenant.bearers.main, 8_000_000));
  const statuses: number[] = [];
  for (const { response } of many) response.then(({ status }) => statuses.push(status)).catch(() => {});
  await vi.waitUntil(() => statuses.length >= 2, { timeout: 120_000 });
  const other = begin(foreign.bearers.main, 2_000_000);
  other.socket.write(`{"target":"x","serials":["x"]}${' '.repeat(2_000_000 - 30)}`);
  expect((await other.response).status).toBe(404);
  expect(statuses).toEqual([429, 429]);
  for (const { socket } of [...many, other]) socket.destroy();
});

test('SEC-ANONYMOUS a session that ends while its body arrives slowly makes no call', async () => {
  const bearer = tenant.bearers.user;
  const path = '/dmp_aa/api/v2/auth/introspect/';
  const headers = {
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
    'content-length': 2,
    connection: 'close',
  };
  const { socket, response } = beginRequest(server.url, { method: 'POST', path, headers }, '{');
  // Answered after the head above was received.
  expect((await send(server.url + path, { bearer, body: {} })).status).toBe(200);
  await send(`${server.url}/dmp_aa/api/v1/auth/logout`, { bearer, body: {} });
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  socket.write('}');
  expect((await response).status).toBe(401);
  later.mockRestore();
  socket.destroy();
});
