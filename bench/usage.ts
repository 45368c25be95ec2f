import { Client } from 'pg';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import { createTelemetry, createUsage } from '@highline/testkit/usage';
import { silentLog, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { milliseconds, printTable, times, type Figure } from './table.ts';

const SIMS = options.short ? 2_000 : 100_000;
/** Routers whose counters are added, and reports of each. */
const REPORTING = options.short ? 200 : 5_000;
const REPORTS = 8;
const CALLS = 20;

const MONTH = "date_trunc('month', now() at time zone 'UTC')::date";

/** A month of many SIMs, next to plain SQL; and reports with and without the ledger (USE). */
export async function benchUsage(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_usage');
  const fleet = await seedRouters(database, SIMS);
  await database.owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
     select r.id, now() - interval '60 days', r.organization_id, r.device_id from routers r on conflict do nothing`,
  );
  const writes = await benchWrites(database, fleet);
  await seedMonth(database);
  const lists = await benchLists(cluster, database, fleet);
  await database.close();
  printTable(
    `Data use of ${SIMS} SIMs`,
    [...lists, writes],
    [
      'Ceiling of the lists: the sum of the same rows by SIM, vehicle or day in one plain statement over the same connection.',
      `Reports of ${REPORTING} routers, ${REPORTS} of each: readings and counters, next to readings alone; without sockets.`,
    ],
  );
}

async function seedMonth({ owner }: BenchDatabase): Promise<void> {
  await owner.query('truncate usage_sims, usage_cycles, usage_totals, usage_days');
  await owner.query(`insert into usage_sims (organization_id, iccid, carrier)
    select organization_id, '8901' || lpad((row_number() over ())::text, 15, '0'), 'Verizon' from devices`);
  await owner.query(`insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
    select d.organization_id, c.cycle_from, '8901' || lpad(d.n::text, 15, '0'), d.id, d.n * 7919 % 1000003, d.n * 104729 % 9000011
    from (select *, row_number() over () as n from devices) d
      cross join (values (${MONTH}), ((${MONTH} - interval '1 month')::date), ((${MONTH} - interval '2 months')::date)) c (cycle_from)`);
  await owner.query(`insert into usage_totals (organization_id, day, sent, received)
    select organization_id, day::date, 1000000000, 5000000000 from (select distinct organization_id from devices) o
      cross join generate_series((${MONTH} - interval '1 month'), now() at time zone 'UTC', interval '1 day') day`);
  await owner.query('vacuum analyze usage_sims, usage_cycles, usage_totals, devices');
}

/** A call, and the plain statement that reads the same rows. */
const lists = [
  {
    name: 'top 50 of the SIMs of a month',
    path: 'usage?limit=50',
    raw: `select iccid, sum(sent + received) from usage_cycles where cycle_from = ${MONTH} group by iccid order by 2 desc limit 50`,
  },
  {
    name: 'top 50 of the vehicles',
    path: 'usage?limit=50&by=vehicles',
    raw: `select device_id, sum(sent + received) from usage_cycles where cycle_from = ${MONTH} group by device_id order by 2 desc limit 50`,
  },
  {
    name: 'groups',
    path: 'usage?limit=50&by=groups',
    raw: `select d.group_key, sum(c.sent + c.received) from usage_cycles c join devices d on d.id = c.device_id
      where cycle_from = ${MONTH} group by 1 order by 2 desc limit 50`,
  },
  {
    name: 'the month by day',
    path: 'usage/month',
    raw: `select day, sum(sent), sum(received) from usage_totals group by day order by day`,
  },
] as const;

async function benchLists(cluster: Cluster, database: BenchDatabase, { person }: ClaimedRouters): Promise<Figure[]> {
  const server = await startHighline(cluster, database);
  const client = new Client(database.ownerUrl);
  await client.connect();
  const figures: Figure[] = [];
  for (const { name, path, raw } of lists) {
    const ours: number[] = [];
    const plain: number[] = [];
    // The first of each warms the cache.
    for (let call = 0; call <= CALLS; call++) {
      const taken = await timed(async () => {
        const answer = await fetch(`${server.url}/data_manager/v1/dm/${path}`, {
          headers: { authorization: `Bearer ${person.bearer}` },
        });
        if (answer.status !== 200) throw new Error(await answer.text());
        await answer.text();
      });
      const own = await timed(() => client.query(raw));
      if (call > 0) ours.push(taken);
      if (call > 0) plain.push(own);
    }
    figures.push({
      name,
      ours: milliseconds(percentile(ours, 0.5), percentile(ours, 0.99)),
      ceiling: milliseconds(percentile(plain, 0.5), percentile(plain, 0.99)),
      ratio: times(percentile(ours, 0.5) / percentile(plain, 0.5)),
      aim: '≤ 200 ms',
    });
  }
  await client.end();
  await server.stop();
  return figures;
}

async function benchWrites(database: BenchDatabase, { routers }: ClaimedRouters): Promise<Figure> {
  const settings = { kind: 'external', url: database.ownerUrl, serveUrl: database.serveUrl, poolSize: 4 } as const;
  const opened = await openDatabase(settings, silentLog);
  const shared = { database: createDatabase(opened.pool, () => {}), clock: systemClock, log: silentLog };
  const telemetry = createTelemetry({ ...shared, retentionDays: 30 });
  const usage = createUsage({ ...shared, retentionDays: 400 });
  await Promise.all([telemetry.start(), usage.start()]);
  const begin = Date.now() - 86_400_000;
  const reporting = routers.slice(0, REPORTING);
  const run = async (first: number, isCounted: boolean) => {
    for (let index = first; index < first + REPORTS; index++)
      await Promise.all(
        reporting.map(async ({ id }, n) => {
          const at = begin + index * 300_000;
          const [sent, received] = [index * 1_000 + n, index * 9_000 + n];
          const samples = [
            { at, parameter: 'bytes_sent', value: sent },
            { at, parameter: 'bytes_received', value: received },
          ] as const;
          await Promise.all([
            telemetry.write(id, samples),
            ...(isCounted ? [usage.reported(id, [{ at, values: valuesOf(n, index) }], IN_USE)] : []),
          ]);
        }),
      );
  };
  const alone = await timed(() => run(0, false));
  const both = await timed(() => run(REPORTS, true));
  const again = await timed(() => run(2 * REPORTS, false));
  await Promise.all([telemetry.stop(), usage.stop()]);
  await opened.close();
  const reports = REPORTING * REPORTS;
  const { rows } = await database.owner.query<{ n: number }>('select count(*)::int as n from usage_readings');
  if (rows[0]!.n !== reports) throw new Error(`${reports - rows[0]!.n} ACKNOWLEDGED BUT MISSING`);
  const without = (alone + again) / 2;
  const rate = (taken: number) => `${Math.round((reports / taken) * 1_000).toLocaleString('en-US')}/s`;
  return {
    name: 'reports durable per second, with the ledger',
    ours: rate(both),
    ceiling: rate(without),
    ratio: times(without / both),
  };
}

const IN_USE = { modem: 1, sim: 1 };

function valuesOf(n: number, index: number): (readonly [string, unknown])[] {
  return [
    ['Device.Cellular.Interface.1.Stats.BytesSent', index * 1_000 + n],
    ['Device.Cellular.Interface.1.Stats.BytesReceived', index * 9_000 + n],
    ['Device.Cellular.Interface.1.USIM.ICCID', `8901${String(n).padStart(15, '0')}`],
    ['Device.DeviceInfo.UpTime', 100_000 + index * 300],
  ];
}
