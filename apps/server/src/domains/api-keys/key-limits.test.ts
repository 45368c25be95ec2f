import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../kernel/index.ts';
import { newId } from '../../kernel/ids.ts';
import { send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createMovingClock } from '../../testing/call.ts';
import { createKeyLimiter } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const caller = (organizationId: string, id = newId()): Actor => ({
  accountId: newId(),
  email: '',
  name: '',
  role: 'admin',
  mainAccountId: newId(),
  organizationId,
  address: '',
  sessionId: '',
  key: { id, label: '', organizationId },
});

test('HKS-04-partial two processes share the limits of a key and of its organization, exactly, and a new minute begins with all calls', async () => {
  const clock = createMovingClock();
  const limits = { key: 100, organization: 250 };
  const nodes = [0, 1].map(() => createKeyLimiter({ database: server.database, clock }, limits));
  const organization = newId();
  const actors = [caller(organization), caller(organization), caller(organization)];
  const burst = async (actor: Actor, calls: number) => {
    const all = await Promise.all(Array.from({ length: calls }, (_, index) => nodes[index % 2]!.count(actor)));
    return all.filter((states) => states.every(({ isExceeded }) => !isExceeded)).length;
  };
  // Each may make 100, all together 250; what one process reserved is not lost to the limit by more than its reserve.
  expect(await burst(actors[0]!, 160)).toBe(100);
  expect(await burst(actors[1]!, 160)).toBe(100);
  expect(await burst(actors[2]!, 160)).toBe(50);
  // Calls beyond the limit of a key do not use up that of its organization, and a limit is of its owner alone.
  expect(await burst(caller(newId()), 100)).toBe(100);
  const [own] = await nodes[0]!.count(actors[0]!);
  expect(own).toEqual({ name: 'key', limit: 100, remaining: 0, reset: 60, isExceeded: true });
  clock.advance(60_000);
  expect(await burst(actors[2]!, 100)).toBe(100);
});

test('HKS-04-partial answers say what is left; a key above its limit gets the time to wait, and people are not limited', async () => {
  const { scope } = await server.seeding.mainAccount('Home');
  const organization = await server.seeding.organization(scope, 'North');
  const bearer = await server.seeding.bearer(await server.seeding.account(organization, 'limits@highline.invalid', 'admin'));
  const created = await send(`${server.url}/data_manager/v1/dm/api_keys`, {
    bearer,
    body: { name: 'x', operations: ['commands.list'] },
  });
  const { secret } = created.json<{ secret: string }>();
  expect(created.headers.get('ratelimit')).toBeNull();
  const list = () => send(`${server.url}/data_manager/v1/dm/commands`, { bearer: secret });
  const first = await list();
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=600;w=60, "organization";q=3000;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"key";r=599;t=(?:60|59), "organization";r=2999;t=(?:60|59)$/u);
  // The rest of the minute was used by another process.
  await server.owner.query("update rate_windows set hits = 600 where key like 'api-key:key %'");
  let response = first;
  for (let calls = 0; response.status === 200 && calls <= 40; calls += 1) response = await list();
  expect([response.status, response.error().key]).toEqual([429, 'request.rate_limited']);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/u);
  expect((await send(`${server.url}/data_manager/v1/dm/commands`, { bearer })).status).toBe(200);
});
