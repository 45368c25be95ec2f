import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, until } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

interface Line {
  readonly msg: string;
  readonly operation?: string;
  readonly ms?: number;
}

/** The test holds the call for longer. */
const SLOW_MS = 20;
const lines: Line[] = [];
let server: TestServer;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  server = await startTestServer({ log, environment: { LOG_SLOW_MS: String(SLOW_MS) } });
});
afterAll(() => server.close());

test.each([
  ['geofences', 'geofences.list'],
  ['devices', 'devices.list'],
])('a call of %s that takes longer than the setting is in the log as %s, without what was searched for', async (table, name) => {
  const { scope } = await server.seeding.mainAccount('Slow');
  const organization = await server.seeding.organization(scope, 'Slow');
  const bearer = await server.seeding.bearer(
    await server.seeding.account(organization, `slow-${table}@highline.invalid`, 'admin'),
  );
  const path = `/data_manager/v1/dm/${table}?org=${organization.organizationId}&search=Blueridge`;
  await server.owner.query(`begin; lock table ${table}`);
  const response = send(`${server.url}${path}`, { bearer });
  const waiting = `select from pg_locks where not granted and relation = '${table}'::regclass`;
  await until(async () => (await server.owner.query(waiting)).rowCount! > 0);
  const since = performance.now();
  await until(() => performance.now() - since > SLOW_MS);
  await server.owner.query('commit');
  expect((await response).status).toBe(200);
  const ofCall = () => lines.filter(({ operation, msg }) => operation === name && msg === 'A call took long.');
  await until(() => ofCall().length > 0);
  for (const { ms } of ofCall()) expect(ms).toBeGreaterThanOrEqual(SLOW_MS);
  expect(JSON.stringify(lines).toLowerCase()).not.toMatch(/blueridge|slow-/u);
});
