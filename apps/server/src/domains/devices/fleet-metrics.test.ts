import { readFile } from 'node:fs/promises';
import { makeEid } from '@highline/usp';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/index.ts';
import { send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let home: MainScope;
let north: OrganizationScope;
let key: string;
let mainBearer: string;

/** Everything that a label value must escape. */
const NAME = 'North "1" \\ 北\u00a0';

beforeAll(async () => {
  server = await startTestServer();
  const main = await server.seeding.mainAccount('Home');
  home = main.scope;
  mainBearer = await server.seeding.bearer(main.actor.accountId);
  north = await server.seeding.organization(home, NAME);
  await server.seeding.organization(home, 'Empty');
  const routers = Array.from({ length: 4 }, (_, index) => ({ serial: `FM-${index}`, mac: `0200000000A${index}` }));
  await server.seeding.routers(home, routers);
  const day = (days: number) => {
    const [year, month, date] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-');
    return `${month}/${date}/${year}`;
  };
  await server.seeding.devices(north, [
    { ...routers[0]!, started: day(-20), expired: day(5) },
    { ...routers[1]!, started: day(-20), expired: day(-2) },
    { ...routers[2]!, started: day(-20), expired: day(300) },
    { ...routers[3]!, started: day(-20), expired: day(300) },
  ]);
  const put = (serial: string, presence: string, carrier: string, hours: number) =>
    server.owner.query(
      "update devices set presence = $2, carrier = $3, presence_since = now() - $4 * interval '1 hour' where serial = $1",
      [serial, presence, carrier, hours],
    );
  await put('FM-0', 'online', 'AT&T', 1);
  await put('FM-1', 'offline', 'AT&T', 2);
  await put('FM-2', 'offline', 'Verizon', 30);
  await put('FM-3', 'offline', 'Verizon', 0);
  const eid = makeEid(7);
  const profile = { serial: 'FM-1', eid, code: '1$dp.example$FM', iccid: '', apn: 'fleet', apn2: '', name: '' };
  const esim = await server.seeding.esim(north, profile);
  await server.owner.query("update esim_profiles set status = 'Fail to download', due_at = null where id = $1", [esim]);
  await server.owner.query(
    `insert into router_contacts (router_id, last_contact_at, is_weak) select router_id, now(), true from devices where serial = 'FM-0'
      on conflict (router_id) do update set is_weak = true`,
  );
  await server.owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
       group_key, state, since, fired_at)
     select d.organization_id, gen_random_uuid(), d.main_account_id, gen_random_uuid(), 'Rule', a.severity, 'offline', d.id, d.serial, '',
       d.group_key, a.state, now(), now()
     from devices d join (values ('FM-0', 'critical', 'firing'), ('FM-1', 'critical', 'firing'), ('FM-2', 'warning', 'acknowledged'),
       ('FM-3', 'info', 'resolved')) as a (serial, severity, state) on a.serial = d.serial`,
  );
  // Two days of this month, and one of the month before.
  await server.owner.query(
    `insert into usage_totals (organization_id, day, sent, received) values
      ($1, date_trunc('month', now() at time zone 'UTC')::date, 1000, 4000000000),
      ($1, (date_trunc('month', now() at time zone 'UTC') + interval '1 day')::date, 2000, 1000000000),
      ($1, (date_trunc('month', now() at time zone 'UTC') - interval '1 day')::date, 7, 7)`,
    [north.organizationId],
  );
  const bearer = await server.seeding.bearer(await server.seeding.account(north, 'prometheus@highline.invalid', 'admin'));
  const created = await send(`${server.url}/data_manager/v1/dm/api_keys`, {
    bearer,
    body: { name: 'Prometheus', operations: ['metrics.read'] },
  });
  key = created.json<{ secret: string }>().secret;
});
afterAll(() => server.close());

/** The samples by name and labels, as a parser of Prometheus text reads them. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const families = parsePrometheusTextFormat(text);
  for (const { help, type } of families) expect([help.length > 10, type]).toEqual([true, 'GAUGE']);
  return new Map(
    families.flatMap(({ name, metrics }) =>
      metrics.map(({ labels = {}, value }) => {
        const rest = Object.entries(labels).filter(([label]) => label !== 'organization_id');
        return [
          `${name} ${rest
            .map(([label, text]) => `${label}=${text}`)
            .toSorted()
            .join(' ')}`,
          Number(value),
        ] as const;
      }),
    ),
  );
}

test('HKS-05 a key of an organization reads its devices by state, carrier, time offline, signal, SIMs and subscription, its alerts and its data use', async () => {
  const response = await send(`${server.url}/metrics`, { bearer: key });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const samples = samplesOf(response.text);
  const of = `organization=${NAME.trim()}`;
  expect(Object.fromEntries(samples)).toEqual({
    [`highline_fleet_devices ${of} state=online`]: 1,
    [`highline_fleet_devices ${of} state=offline`]: 3,
    [`highline_fleet_devices ${of} state=unknown`]: 0,
    [`highline_fleet_devices ${of} state=never`]: 0,
    [`highline_fleet_devices ${of} state=parked`]: 0,
    [`highline_fleet_devices ${of} state=planned`]: 0,
    [`highline_fleet_carrier_devices carrier=AT&T ${of} state=online`]: 1,
    [`highline_fleet_carrier_devices carrier=AT&T ${of} state=offline`]: 1,
    [`highline_fleet_carrier_devices carrier=Verizon ${of} state=offline`]: 2,
    [`highline_fleet_offline_devices longer_than=3600 ${of}`]: 2,
    [`highline_fleet_offline_devices longer_than=86400 ${of}`]: 1,
    [`highline_fleet_weak_signal_devices ${of}`]: 1,
    [`highline_fleet_failed_sim_devices ${of}`]: 1,
    [`highline_fleet_subscription_devices ${of} status=expiring`]: 1,
    [`highline_fleet_subscription_devices ${of} status=ended`]: 1,
    [`highline_fleet_alerts ${of} severity=critical state=firing`]: 2,
    [`highline_fleet_alerts ${of} severity=critical state=acknowledged`]: 0,
    [`highline_fleet_alerts ${of} severity=warning state=firing`]: 0,
    [`highline_fleet_alerts ${of} severity=warning state=acknowledged`]: 1,
    [`highline_fleet_alerts ${of} severity=info state=firing`]: 0,
    [`highline_fleet_alerts ${of} severity=info state=acknowledged`]: 0,
    [`highline_fleet_used_bytes direction=sent ${of}`]: 3_000,
    [`highline_fleet_used_bytes direction=received ${of}`]: 5_000_000_000,
  });
  expect((await send(`${server.url}/metrics`)).status).toBe(401);
});

test('HKS-05-partial a main account reads each of its organizations, also those without devices, and no others', async () => {
  const abroad = (await server.seeding.mainAccount('Abroad')).scope;
  await server.seeding.organization(abroad, 'Foreign');
  const { text } = await send(`${server.url}/metrics`, { bearer: mainBearer });
  const names = [...samplesOf(text).keys()].filter(
    (name) => name.startsWith('highline_fleet_devices') && name.endsWith('state=online'),
  );
  expect(names.toSorted()).toEqual([
    'highline_fleet_devices organization=Empty state=online',
    `highline_fleet_devices organization=${NAME.trim()} state=online`,
  ]);
  const one = await send(`${server.url}/metrics?org=${north.organizationId}`, { bearer: mainBearer });
  expect(one.text).not.toContain('Empty');
});

test('HKS-05-partial every metric that the dashboard of fleets names exists', async () => {
  const { text } = await send(`${server.url}/metrics`, { bearer: key });
  const known = new Set(parsePrometheusTextFormat(text).map(({ name }) => name));
  const file = await readFile(new URL('../../../../../packaging/grafana/fleet.json', import.meta.url), 'utf8');
  const used = new Set(file.match(/\bhighline_fleet_[a-z_]+/gu));
  expect(used.size).toBe(known.size);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  const { panels } = JSON.parse(file) as { panels: { id: number }[] };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
