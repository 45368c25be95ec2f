import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, until } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

interface Line {
  readonly msg: string;
  readonly operation?: string;
  readonly ms?: number;
}

/** A call with its session and its page takes longer on any machine, sooner or later. */
const SLOW_MS = 1;
const lines: Line[] = [];
let server: TestServer;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  server = await startTestServer({ log, environment: { LOG_SLOW_MS: String(SLOW_MS) } });
});
afterAll(() => server.close());

test('a call that takes longer than the setting is in the log with its name, and without what was searched for', async () => {
  const { scope } = await server.seeding.mainAccount('Slow');
  const organization = await server.seeding.organization(scope, 'Slow');
  const bearer = await server.seeding.bearer(await server.seeding.account(organization, 'slow@highline.invalid', 'admin'));
  const path = `/data_manager/v1/dm/devices?org=${organization.organizationId}&q=Blueridge`;
  const ofCall = () => lines.filter(({ operation, msg }) => operation === 'devices.list' && msg === 'A call took long.');
  await until(async () => {
    expect((await send(`${server.url}${path}`, { bearer })).status).toBe(200);
    return ofCall().length > 0;
  });
  for (const { ms } of ofCall()) expect(ms).toBeGreaterThanOrEqual(SLOW_MS);
  expect(JSON.stringify(lines).toLowerCase()).not.toMatch(/blueridge|slow@/u);
});
