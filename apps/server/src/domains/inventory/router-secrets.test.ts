import { makeMac } from '@highline/usp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestAgent, type AgentOptions } from '../../testing/agent.ts';
import { minimalAgent } from '../../testing/agent-models.ts';
import { ask, until } from '../../testing/call.ts';
import { hashRouterSecret } from './router-secret.ts';
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
  readonly rejection: { readonly reason: string } | null;
}

async function call(method: string, path = ''): Promise<ShownRouter> {
  return ask<ShownRouter>(`${server.url}/data_manager/v1/dm/inventory/${router.id}${path}`, { method, bearer });
}

const rotate = async () => (await call('POST', '/secret')).secret;

function agentWith(secret: string, more: Partial<AgentOptions> = {}): TestAgent {
  const { endpointId } = router;
  return new TestAgent({ ...minimalAgent, server: server.url.replace('http', 'ws'), secret, endpointId, ...more });
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

test('DEV-05-partial the use of a new secret counts for a router that is rejected at once for its serial number, and the next rotation keeps it', async () => {
  const used = await rotate();
  const model = new Map([...minimalAgent.model, ['Device.DeviceInfo.SerialNumber', 'OTHER01']]);
  const agent = await agentWith(used, { model }).opened();
  await until(async () => (await call('GET')).rejection?.reason === 'serial-mismatch');
  expect(await call('GET')).toMatchObject({ awaitsSecretUse: false });
  const last = await rotate();
  agent.cut();
  await connect(used);
  await connect(last);
});

/** The database fails to store the use of a secret. */
async function failToStore(): Promise<void> {
  await server.owner.query(`create sequence failed_stores;
    grant usage on failed_stores to public;
    create function fail_to_store() returns trigger language plpgsql as $$
    begin
      perform nextval('failed_stores');
      raise exception 'down' using errcode = '57P03';
    end $$;
    create trigger fail_to_store before update on routers for each row
      when (new.secret_hash = old.secret_hash and (new.previous_secret_until, new.previous_secret_hash)
        is distinct from (old.previous_secret_until, old.previous_secret_hash)) execute function fail_to_store()`);
}
const hasFailed = async () => (await server.owner.query('select from failed_stores where is_called')).rowCount === 1;

test('DEV-05-partial a secret that was used stays valid when the router gets another one before the database could store the use', async () => {
  const used = await rotate();
  await failToStore();
  const agent = await agentWith(used).opened();
  await until(hasFailed);
  const last = await rotate();
  await server.owner.query('drop trigger fail_to_store on routers');
  const former = "select from routers where encode(previous_secret_hash, 'hex') = $1";
  const hash = hashRouterSecret(used).toString('hex');
  await expect.poll(async () => (await server.owner.query(former, [hash])).rowCount).toBe(1);
  expect(await agentWith(router.secret).rejected).toBe(401);
  agent.cut();
  await connect(used);
  await connect(last);
});
