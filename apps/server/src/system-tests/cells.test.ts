import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentKinds, type AgentUnderTest } from '../testing/agents.ts';
import { send } from '../testing/call.ts';
import { startTestCells, type TestCells } from '../testing/cells.ts';
import { until } from '../testing/process.ts';
import { sendHead } from '../testing/raw-request.ts';
import type { TestServer } from '../testing/server.ts';

// Two installations side by side, which know nothing of each other, and the directory in front of them.

let cells: TestCells;
const agents: AgentUnderTest[] = [];
beforeAll(async () => {
  cells = await startTestCells();
});
afterAll(async () => {
  for (const agent of agents) await agent.stop();
  await cells.close();
});

const anEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
const aRouter = () => ({ serial: `CE${randomBytes(4).toString('hex')}`, mac: randomBytes(6).toString('hex').toUpperCase() });

/** How the directory answers a router's upgrade. */
function upgrade(path: string): Promise<{ status: number; location: string | undefined }> {
  const socket = new WebSocket(`${cells.directoryUrl.replace('http', 'ws')}${path}`, 'v1.usp');
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, { statusCode = 0, headers }) => {
      socket.terminate();
      resolve({ status: statusCode, location: headers.location });
    });
  });
}

/** Where the sign-in page of the directory leads. */
const signIn = (email: string) => send(`${cells.directoryUrl}/sign-in`, { body: new URLSearchParams({ email }) });

async function mainAccount(server: TestServer) {
  const { scope, actor } = await server.seeding.mainAccount('Main');
  const bearer = await server.seeding.bearer(actor.accountId);
  const call = (method: string, path: string, body?: object) => send(`${server.url}${path}`, { method, bearer, body });
  return {
    scope,
    invite: (email: string) => call('POST', '/dmp_aa/api/v1/colleagues/', { email, name: 'Someone', language: 'en-US' }),
    add: ({ serial, mac }: { serial: string; mac: string }) =>
      call('POST', '/data_manager/v1/dm/inventory', { serial_number: serial, mac }),
    drop: (id: string) => call('DELETE', `/dmp_aa/api/v1/colleagues/${id}`),
  };
}

test('SEC-ANONYMOUS the directory rejects the body of a cell that it does not know, and of an unknown address, by the head', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': 900_000_000, authorization: 'Bearer x' };
  const statusOf = async (path: string) => (await sendHead(cells.directoryUrl, { method: 'POST', path, headers })).status;
  expect([await statusOf('/directory/a/claim'), await statusOf('/nowhere'), await statusOf('/sign-in')]).toEqual([403, 404, 413]);
});

test('people are led to the sign-in page of their cell, and an unknown address is answered like a known one', async () => {
  const [ofA, ofB, unknown] = [anEmail(), anEmail(), anEmail()];
  expect((await (await mainAccount(cells.a)).invite(ofA)).status).toBe(200);
  expect((await (await mainAccount(cells.b)).invite(ofB)).status).toBe(200);
  // As soon as the invitation is answered.
  for (const [email, name] of [
    [ofA, 'a'],
    [ofB.toUpperCase(), 'b'],
  ] as const) {
    const { status, headers } = await signIn(email);
    expect([status, headers.get('location')]).toEqual([303, `${cells.cells.get(name)}/login#email=${encodeURIComponent(email)}`]);
  }
  const responses = [await signIn(unknown), await signIn(unknown), await signIn(ofA)];
  const shapes = responses.map(({ status, headers, text }) => [
    status,
    text,
    [...headers.keys()].toSorted(),
    [...cells.cells.values()].includes(new URL(headers.get('location')!).origin),
  ]);
  expect(shapes).toEqual([shapes[2], shapes[2], shapes[2]]);
  expect(responses[0]!.headers.get('location')).toBe(responses[1]!.headers.get('location'));

  const page = await send(`${cells.directoryUrl}/`, { headers: { 'accept-language': 'zh-TW,en;q=0.5' } });
  expect([page.status, page.text.includes('lang="zh-TW"'), page.text.includes('type="password"')]).toEqual([200, true, false]);
  expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${[...cells.cells.values()].join(' ')}`);
  expect([(await signIn('nothing')).status, (await signIn(`${'x'.repeat(400)}@example.com`)).status]).toEqual([400, 400]);
  expect((await send(`${cells.directoryUrl}/directory/a/claim`, { body: { names: [] } })).status).toBe(403);
});

test('an e-mail address, a serial number and a MAC address are in one cell only', async () => {
  const [a, b] = [await mainAccount(cells.a), await mainAccount(cells.b)];
  const [email, router] = [anEmail(), aRouter()];
  const invited = await a.invite(email);
  expect([invited.status, (await a.add(router)).status]).toEqual([200, 200]);
  const taken = await b.invite(email);
  expect([taken.status, taken.error().key]).toEqual([409, 'account.exists']);
  for (const other of [router, { ...aRouter(), serial: router.serial }, { ...aRouter(), mac: router.mac }]) {
    const response = await b.add(other);
    expect([response.status, response.error().key]).toEqual([409, 'inventory.taken_elsewhere']);
  }
  expect((await b.add({ ...aRouter(), mac: 'not a MAC' })).status).toBe(400);
  // What was rolled back or deleted is free again.
  const { result } = invited.json<{ result: { id: string } }>();
  expect((await a.drop(result.id)).status).toBe(200);
  await until(async () => (await cells.a.owner.query('select 1 from directory_updates')).rowCount === 0);
  expect((await b.invite(email)).status).toBe(200);
});

test('each agent is led to its cell once, and reaches it without the directory, also after a restart; new names wait for it', async () => {
  const { scope, invite, add } = await mainAccount(cells.b);
  const registered = await cells.b.seeding.routers(scope, [aRouter(), aRouter()]);
  const socketOf = async (serial: string) => {
    const { rows } = await cells.b.owner.query<{ presence: string; epoch: number }>(
      'select presence, connection_epoch::integer as epoch from routers where serial = $1',
      [serial],
    );
    return rows[0]?.presence === 'online' ? rows[0].epoch : 0;
  };
  for (const [index, kind] of agentKinds.entries())
    agents.push(kind.start(cells.directoryUrl.replace('http', 'ws'), registered[index]!));
  for (const { serial } of registered) await until(async () => (await socketOf(serial)) > 0);
  const own = agents[0]!;

  await cells.stopDirectory();
  const before = await socketOf(registered[0]!.serial);
  own.cutPower();
  await until(async () => (await socketOf(registered[0]!.serial)) > before);
  const away = [await invite(anEmail()), await add(aRouter())];
  for (const { status, headers, error } of away)
    expect([status, headers.get('retry-after'), error().key]).toEqual([503, '5', 'server.busy']);
  // A change that needs no new name is kept and reaches the directory later.
  await cells.b.owner.query('update routers set secret_hash = sha256($2::bytea) where serial = $1', [
    registered[1]!.serial,
    Buffer.from('another secret'),
  ]);

  await cells.startDirectory();
  await until(async () => (await invite(anEmail())).status === 200);
  const origin = cells.cells.get('b')!.replace('http', 'ws');
  await until(async () => (await upgrade('/usp/another%20secret')).status === 307);
  expect((await upgrade('/usp/another%20secret')).location).toBe(`${origin}/usp/another%20secret`);
  expect(await upgrade(`/usp/${registered[1]!.secret}`)).toEqual({ status: 401, location: undefined });
  expect((await upgrade('/usp?eid=os::unknown')).status).toBe(307);
  expect((await upgrade('/other')).status).toBe(404);
});
