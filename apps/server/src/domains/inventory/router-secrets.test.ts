import { makeMac } from '@highline/usp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestAgent } from '../../testing/agent.ts';
import { minimalAgent } from '../../testing/agent-models.ts';
import { ask, until } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const HOUR_MS = 3_600_000;
const mac = makeMac(0x5ec4e7);
const [email, password] = ['depot@highline.invalid', 'a secret for each router'];

let server: TestServer;
let bearer: string;
let router: { readonly id: string; readonly endpointId: string; readonly secret: string };
let aheadMs = 0;

beforeEach(async () => {
  aheadMs = 0;
  server = await startTestServer({ clock: { now: () => new Date(Date.now() + aheadMs) } });
  const { scope } = await server.seeding.mainAccount('Depot');
  await server.seeding.account(scope, email, 'main', password);
  await signIn();
  router = (await server.seeding.routers(scope, [{ serial: 'SEC0001', mac }]))[0]!;
});
afterEach(() => server.close());

/** Sessions do not last for days. */
async function signIn(): Promise<void> {
  const { vap } = await ask<{ vap: string }>(`${server.url}/dmp_aa/api/v1/auth/token`, { body: { email, password } });
  bearer = vap;
}

interface ShownRouter {
  readonly secret: string;
  readonly awaitsSecretUse: boolean;
  readonly previousSecretUntil: number | null;
}

async function call(method: string, path = ''): Promise<ShownRouter> {
  return ask<ShownRouter>(`${server.url}/data_manager/v1/dm/inventory/${router.id}${path}`, { method, bearer });
}

const rotate = async () => (await call('POST', '/secret')).secret;

function agentWith(secret: string): TestAgent {
  const { endpointId } = router;
  return new TestAgent({ ...minimalAgent, server: server.url.replace('http', 'ws'), secret, endpointId });
}

/** Connect once. */
async function connect(secret: string): Promise<void> {
  const agent = await agentWith(secret).opened();
  await until(() => agent.requests.length > 0);
  agent.cut();
}

test('DEV-05-partial of two rotations in a row only the last is new: the router connects with the secret that it has', async () => {
  const unused = await rotate();
  const last = await rotate();
  await connect(router.secret);
  expect(await agentWith(unused).rejected).toBe(401);
  await connect(last);
  await until(async () => !(await call('GET')).awaitsSecretUse);
  await connect(router.secret);
});

test('DEV-05-partial a router that was parked for days connects with its old secret, which ends a day after the first use of the new one', async () => {
  const fresh = await rotate();
  aheadMs = 48 * HOUR_MS;
  await signIn();
  await connect(router.secret);
  expect(await call('GET')).toMatchObject({ awaitsSecretUse: true, previousSecretUntil: null });

  await connect(fresh);
  await until(async () => (await call('GET')).previousSecretUntil !== null);
  expect((await call('GET')).awaitsSecretUse).toBe(false);
  aheadMs += 23 * HOUR_MS;
  await connect(router.secret);
  aheadMs += 2 * HOUR_MS;
  expect(await agentWith(router.secret).rejected).toBe(401);
  await connect(fresh);
});

test('DEV-05-partial an old secret that others know is ended at once', async () => {
  const fresh = await rotate();
  const connected = await agentWith(router.secret).opened();
  await until(() => connected.requests.length > 0);
  await call('DELETE', '/secret/previous');
  await connected.closed;
  expect(await agentWith(router.secret).rejected).toBe(401);
  await connect(fresh);
});
