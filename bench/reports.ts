import { analysis, reports } from '@highline/contract';
import { ensureTimePartitions } from '../apps/server/src/domains/router-state/index.ts';
import { openParts, seedOrganization, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { type Pair, type Run } from './compare.ts';
import { options } from './options.ts';
import { benchSummaries } from './summaries.ts';
import { whole } from './table.ts';

/** Routers of each of two organizations. */
const ROUTERS = options.short ? 200 : 1_000;
const DAYS = 30;
/** Reports per router and day, with two parameters each. */
const REPORTS = 24;
const VALUES = 2 * ROUTERS * DAYS * REPORTS * 2;
/** Devices of the group used for statistics. */
const GROUP_DEVICES = 100;
const ROUNDS = 60;
/** A total of a hundred thousand is counted row by row. */
const TOTAL_MS = 300;
/** Limit of queries over hundreds of thousands of values. */
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

interface SeededRecords {
  readonly organizationId: string;
  readonly bearer: string;
  readonly group: string;
  readonly devices: readonly string[];
}

/** Records and statistics, and reports as files and by mail; `--part` for one of them. */
export async function benchReports(cluster: Cluster): Promise<void> {
  if (options.part !== 'summaries') await benchRecords(cluster);
  if (options.part !== 'records') await benchSummaries(cluster);
}

/** Pages of records and statistics over thirty days, alternating with handwritten SQL. */
function benchRecords(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_reports',
    seed: seedRecords,
    title: `Records, ${whole(VALUES)} values of ${2 * ROUTERS} routers in ${DAYS} days, half of them ours`,
    rounds: ROUNDS,
    pairs,
    notes: ['A page comes with its total up to 100,000, on both sides; no query is repeated.'],
  });
}

function pairs({ clientOf, raw, seeded: { organizationId, group, devices, bearer } }: Run<SeededRecords>): Pair[] {
  const client = clientOf(bearer);
  const first = Date.now() - (DAYS - 1) * DAY_MS;
  const to = new Date(Date.now() + 60_000).toISOString();
  // Each starts a little later than the previous one, so that nothing is cached.
  const begin = (round: number) => new Date(first + round * 1_000).toISOString();
  const range = (round: number) => ({ on: begin(round), to });
  const records = (query: Record<string, string>) => client.get(reports.listRecords.path, { limit: '10', ...query });
  const read = (round: number, condition = 'true', values: readonly unknown[] = [], offset = 0) => {
    const where = `t.at >= $2 and t.at < $3 and ${condition}`;
    const all = [organizationId, begin(round), to, ...values];
    return raw(
      [`${selected(where)} order by t.at desc, t.router_id desc, v.parameter desc limit 11 offset ${offset}`, all],
      [`select count(*) from (select 1 ${from(where)} limit 100001) c`, all],
    );
  };
  const device = (round: number) => devices[(round * 7919) % devices.length]!;
  const value = (round: number) => -60 - round / 3;
  const average = `/data_manager/api/v1/statistics/average` satisfies string;
  if (analysis.listStatistics.path.replace('{category}', 'average') !== average) throw new Error('The call has moved.');
  return [
    {
      name: 'first page of 10 of all devices',
      mostMs: TOTAL_MS,
      ours: (round) => records(range(round)),
      raw: (round) => read(round),
    },
    {
      name: 'page 5,000 of all devices',
      rounds: ROUNDS / 2,
      mostMs: SECOND_MS,
      ours: (round) => records({ ...range(round), offset: '50000' }),
      raw: (round) => read(round, 'true', [], 50_000),
    },
    {
      name: 'first page of 10 of one device',
      ours: (round) => records({ ...range(round), device: device(round) }),
      raw: (round) => read(round, 'd.id = $4', [device(round)]),
    },
    {
      name: 'a value that no router reported',
      rounds: ROUNDS / 6,
      ours: (round) => records({ ...range(round), property: 'rssi', value: String(value(round)), group }),
      raw: (round) => read(round, 'v.parameter = 1 and t.rssi = $4 and d.group_key = $5', [value(round), group]),
    },
    {
      name: `average of each day, ${GROUP_DEVICES} devices`,
      mostMs: SECOND_MS,
      ours: (round) => client.get(average, { ...range(round), group, property: 'temperature', window: '1d' }),
      raw: (round) =>
        raw([
          `select date_trunc('day', t.at) as day, avg(t.temperature) ${from('t.at >= $2 and t.at < $3 and v.parameter = 4 and d.group_key = $4')} group by 1`,
          [organizationId, begin(round), to, group],
        ]),
    },
  ];
}

function from(where: string): string {
  return `from telemetry_reports t cross join lateral (values (1, t.rssi), (4, t.temperature)) v (parameter, value) join router_ownership o on o.router_id = t.router_id and o.owned_from <= t.at
      and coalesce(o.owned_until, 'infinity') > t.at
    join devices d on d.id = o.device_id where d.organization_id = $1 and v.value is not null and ${where}`;
}

function selected(where: string): string {
  return `select t.at, t.router_id, v.parameter, v.value, d.id, d.serial ${from(where)}`;
}

/** Two organizations whose routers reported temperature and signal every hour for thirty days. */
async function seedRecords(database: BenchDatabase): Promise<SeededRecords> {
  const { owner, seeding } = database;
  const { main, scope: own, admin } = await seedOrganization(database);
  const other = await seeding.organization(main, 'Harbour Lines');
  const group = await seeding.group(own, 'Night buses');
  for (const [number, { organizationId }] of [own, other].entries()) {
    await owner.query(
      `insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
       select gen_random_uuid(), $1, 'B' || $4 || lpad(i::text, 6, '0'), '00B2D' || $4 || lpad(upper(to_hex(i)), 6, '0'),
         'os::B' || $4 || i, sha256(('bench ' || $4 || i)::bytea), $2, gen_random_uuid() from generate_series(1, $3::int) i`,
      [main.mainAccountId, organizationId, ROUTERS, String(number)],
    );
  }
  await owner.query(
    `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key)
     select organization_id, device_id, main_account_id, id, serial, mac,
       case when organization_id = $1 and right(serial, 4)::int <= $3 then $2 else 'default+group+id' end from routers`,
    [own.organizationId, group, GROUP_DEVICES],
  );
  await owner.query(`insert into router_ownership (router_id, owned_from, organization_id, device_id)
    select id, now() - interval '60 days', organization_id, device_id from routers`);
  const { deps, close } = await openParts(database, 2);
  await ensureTimePartitions(deps.database, new Date());
  await close();
  await owner.query(`select ensure_partitions((now() - make_interval(days => $1))::date, now()::date)`, [DAYS + 1]);
  for (let day = DAYS; day > 0; day -= 1)
    await owner.query(
      `insert into telemetry_reports (router_id, at, rssi, temperature)
       select r.id, at + (('x' || right(r.id::text, 6))::bit(24)::int % 3600000) * interval '1 millisecond',
         -60 - random() * 40, 20 + random() * 30
       from generate_series(now() - make_interval(days => $1), now() - make_interval(days => $1 - 1) - interval '1 hour',
         interval '1 hour') at, routers r`,
      [day],
    );
  await owner.query('vacuum analyze');
  const { rows } = await owner.query<{ id: string }>('select id from devices where organization_id = $1 order by serial', [
    own.organizationId,
  ]);
  return { organizationId: own.organizationId, bearer: admin.bearer, group, devices: rows.map((row) => row.id) };
}
