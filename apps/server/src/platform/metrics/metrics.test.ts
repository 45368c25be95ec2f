import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { openRemoteFixture, type RemoteFixture } from '../../testing/remote-fixture.ts';

let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture({ metrics: true });
});
afterAll(() => fixture.close());

const scrape = async () => (await fetch(`http://127.0.0.1:${fixture.server.metricsPort}/metrics`)).text();
/** The value of a line, NaN for a missing one. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length),
  );

test('calls are measured by operation and status class, and unknown paths under one name', async () => {
  const call = (path: string) =>
    fetch(`${fixture.server.url}${path}`, { headers: { authorization: `Bearer ${fixture.bearer}` } });
  expect((await call('/data_manager/v1/dm/devices')).status).toBe(200);
  expect((await call('/data_manager/v1/dm/device?device=unknown')).status).toBe(404);
  expect((await call('/somewhere/else')).status).toBe(404);
  await eventually(async () => {
    const text = await scrape();
    const count = (labels: string) => valueOf(text, `highline_http_seconds_count{${labels}}`);
    expect(count('operation="devices.list",status="2xx"')).toBe(1);
    expect(count('operation="devices.get",status="4xx"')).toBe(1);
    expect(count('operation="other",status="4xx"')).toBe(1);
  });
});

test('routers, sockets, the pool, the outbox, mails and the process itself have figures', async () => {
  await fixture.scripted();
  const text = await scrape();
  expect(valueOf(text, 'highline_routers_connected')).toBe(1);
  expect(valueOf(text, 'highline_sockets')).toBeGreaterThanOrEqual(1);
  expect(valueOf(text, 'highline_outbox_lag_seconds')).toBeGreaterThanOrEqual(0);
  for (const state of ['busy', 'idle', 'awaited'])
    expect(valueOf(text, `highline_database_connections{state="${state}"}`)).toBeGreaterThanOrEqual(0);
  for (const work of ['admission', 'reconciliation', 'rollouts'])
    expect(valueOf(text, `highline_waiting{work="${work}"}`)).toBeGreaterThanOrEqual(0);
  expect(valueOf(text, 'highline_disk_free_bytes')).toBeGreaterThan(0);
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
    expect(valueOf(text, name)).toBeGreaterThanOrEqual(0);
});

test('database figures are those of the last count: a scrape never waits for the database', async () => {
  const mailsDue = async () => valueOf(await scrape(), 'highline_mails_due');
  await eventually(async () => expect(await mailsDue()).toBe(0));
  const { owner } = fixture.server;
  await owner.query('begin');
  await owner.query('lock table mails in access exclusive mode');
  expect(await mailsDue()).toBe(0);
  await owner.query('rollback');
});

test('the text does not reveal the owner of the server, and its port serves nothing else', async () => {
  const device = await fixture.scripted();
  const text = await scrape();
  for (const own of [
    fixture.scope.organizationId,
    fixture.scope.mainAccountId,
    device.serial,
    device.id,
    device.routerId,
    'rmt1',
  ])
    expect(text.toLowerCase()).not.toContain(own.toLowerCase());
  const base = `http://127.0.0.1:${fixture.server.metricsPort}`;
  expect((await fetch(`${base}/livez`)).status).toBe(404);
  expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${fixture.server.url}/metrics`)).status).toBe(404);
});
