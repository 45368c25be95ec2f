import { readFileSync, writeFileSync } from 'node:fs';
import { createReader, createRowStreams, periodUse } from '@highline/testkit/row-streams';
import { openParts, startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { cpuOf, cpuOfFamily, middle, timed } from './measure.ts';
import { options } from './options.ts';
import { seedRouters } from './routers.seed.ts';
import { benchSchedule, PRINTED, GROUP, type Measure, type Spent } from './summaries-schedule.ts';
import { assessed, printTable, whole, type Figure } from './table.ts';

const SIMS = options.short ? 2_000 : 100_000;
const DAYS = 30;

const ROUNDS = options.short ? 1 : 3;
const FILE = '/data_manager/v1/dm/summaries/file';

/** Reports as files and by mail: data used by every SIM for a month, a document, and many that are due at one minute (RPM). */
export async function benchSummaries(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_summaries');
  const { person } = await seedRouters(database, SIMS);
  const { organizationId, mainAccountId } = await seedUse(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, person.bearer);
  const figures: Figure[] = [];
  const days = await readDays(database);
  const spent = async (pid: number, work: () => Promise<unknown>): Promise<Spent> => {
    const processors = () => cpuOf(pid) + cpuOfFamily(cluster.pid());
    const before = processors();
    const clock = (await timed(work)) / 1_000;
    return { clock, processors: processors() - before };
  };
  const { deps, close } = await openParts(database, 2);
  const streams = createRowStreams(createReader(deps.database));
  const use = periodUse(
    { kind: 'organization', organizationId, mainAccountId },
    { ...days, devices: undefined, carrier: undefined },
  );
  const copy = () =>
    spent(process.pid, async () => {
      for await (const _ of streams.copy(use)) continue;
    });
  const written = (format: string) => spent(server.pid, () => client.bytes(FILE, { kind: 'data-use', format, ...days }));
  // What the database has cached is the same for all.
  await copy();
  for (const [format, most] of [
    ['csv', 1.3],
    ['xlsx', 4],
  ] as const) {
    const [raw, ours]: [Spent[], Spent[]] = [[], []];
    const idle = await idleMemory(server);
    forgetPeak(server);
    for (let round = 0; round < ROUNDS; round += 1) {
      raw.push(await copy());
      ours.push(await written(format));
    }
    const of = (all: readonly Spent[], part: keyof Spent) => middle(all.map((each) => each[part]));
    const ratio = of(ours, 'processors') / of(raw, 'processors');
    figures.push(
      { name: `data use of ${whole(SIMS)} SIMs as ${format}`, unit: 's', ours: [of(ours, 'clock')], raw: [of(raw, 'clock')] },
      {
        name: '  processors, with PostgreSQL',
        unit: 's',
        ours: [of(ours, 'processors')],
        raw: [of(raw, 'processors')],
        aim: assessed(`≤ ${most}×`, ratio <= most),
      },
      { name: '  memory above idle', unit: 'MB', ours: [peakMemory(server) - idle] },
    );
  }
  await close();
  figures.push(...(await benchDocument(server, client, (work) => spent(server.pid, work))));
  figures.push(...(await benchSchedule(database, client, (work) => spent(server.pid, work))));
  printTable('Reports', figures, [
    'Ceiling: the same statement by COPY, in this process. Medians. Memory: the most of the server with its threads, above what it has at rest.',
  ]);
  client.close();
  await server.stop();
  await database.close();
}

async function benchDocument(server: Highline, client: HttpClient, spent: Measure): Promise<Figure[]> {
  const print = () => client.bytes(FILE, { kind: 'inventory', format: 'pdf', group: GROUP });
  const idle = await idleMemory(server);
  forgetPeak(server);
  const first = await spent(print);
  const next = await spent(print);
  const memory = peakMemory(server) - idle;
  return [
    {
      name: `PDF of ${PRINTED} vehicles; another one after it`,
      unit: 's',
      ours: [first.clock, next.clock],
      aim: assessed('≤ 3 s', first.clock <= 3),
    },
    { name: '  processors, with PostgreSQL', unit: 's', ours: [first.processors, next.processors] },
    { name: '  memory above idle', unit: 'MB', ours: [memory], aim: assessed('≤ 150 MB', memory <= 150) },
  ];
}

async function seedUse({ owner }: BenchDatabase): Promise<{ organizationId: string; mainAccountId: string }> {
  const { rows } = await owner.query<{ organizationId: string; mainAccountId: string }>(
    'select organization_id as "organizationId", main_account_id as "mainAccountId" from devices limit 1',
  );
  const [scope] = rows;
  for (const [key, count] of [
    [GROUP, PRINTED],
    [`${GROUP}-few`, PRINTED / 10],
  ] as const) {
    await owner.query('insert into groups (organization_id, key, name) values ($1, $2, $2)', [scope!.organizationId, key]);
    await owner.query(
      `update devices set group_key = $1 where id in (select id from devices where group_key not like '${GROUP}%' order by serial limit $2)`,
      [key, count],
    );
  }
  await owner.query(
    `update devices set vehicle_number = 'Bus ' || right(serial, 6), iccid = '8901' || lpad(right(serial, 6), 15, '0')`,
  );
  await owner.query(`insert into router_ownership (router_id, owned_from, organization_id, device_id)
    select id, now() - interval '60 days', organization_id, device_id from routers on conflict do nothing`);
  await owner.query(
    `insert into usage_sims (organization_id, iccid, carrier) select organization_id, iccid, 'Verizon' from devices`,
  );
  await owner.query(
    `insert into usage_days (organization_id, day, iccid, device_id, sent, received)
     select d.organization_id, (now() at time zone 'UTC')::date - n, d.iccid, d.id, n * 1000003, n * 9000011
     from devices d cross join generate_series(1, $1::int) n`,
    [DAYS],
  );
  await owner.query('vacuum analyze usage_sims, usage_days, devices, router_ownership, routers');
  return scope!;
}

async function readDays({ owner }: BenchDatabase): Promise<{ readonly from: string; readonly until: string }> {
  const { rows } = await owner.query<{ from: string; until: string }>(
    'select min(day)::text as "from", max(day)::text as until from usage_days',
  );
  return rows[0]!;
}

const MB = 1_048_576;

async function idleMemory(server: Highline): Promise<number> {
  return (await server.ask('memory')).rss / MB;
}

/** From now on `peakMemory` is the most since now. */
const forgetPeak = ({ pid }: { readonly pid: number }): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** The most memory of a process, in MB. */
function peakMemory({ pid }: { readonly pid: number }): number {
  return Number(/^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
