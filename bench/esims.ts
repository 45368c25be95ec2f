import { esims as contract } from '@highline/contract';
import { createDatabase, openDatabase } from '@highline/testkit/database';
import { defaultEsimTimeouts } from '../apps/server/src/domains/esims/engine/facts.ts';
import { runEsimPass } from '../apps/server/src/domains/esims/engine/pass.ts';
import { silentLog, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { comparePairs, draws, figureOf, printLists, type Pair, type Samples } from './compare.ts';
import { PROFILES_EACH, ROUTERS, seedProfiles } from './esims.seed.ts';
import { openRawProfiles, type RawProfiles } from './esims.sql.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { timed } from './measure.ts';
import { printTable } from './table.ts';

const ROUNDS = 105;
const PROFILES = ROUTERS * PROFILES_EACH;
/** Routers due at the same time, and number of passes. */
const DUE_ROUTERS = 2_000;
const PASSES = 5;

/** The eSIM list over real HTTP alternating with raw SQL, and the cost of an engine pass over many profiles. */
export async function benchEsims(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_esims');
  const organization = await seedProfiles(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, organization.bearer);
  const mainClient = createHttpClient(server.url, organization.mainBearer);
  const raw = await openRawProfiles(database.serveUrl, organization);
  const { figures, used } = await comparePairs(listPairs(client, mainClient, raw), ROUNDS, cluster, server);
  printLists(`eSIM list, ${PROFILES.toLocaleString('en')} profiles`, `${ROUNDS}`, figures, used);
  client.close();
  mainClient.close();
  await raw.close();
  // A running engine would process what the passes below need.
  await server.stop();
  await benchPasses(database);
  await database.close();
}

function listPairs(client: HttpClient, mainClient: HttpClient, raw: RawProfiles): Pair[] {
  const ask = (query: Readonly<Record<string, string>>, from = client) =>
    from.get(contract.listProfiles.path, { limit: '50', ...query });
  const offset = draws((round) => ((round * 7919) % Math.floor(PROFILES / 50)) * 50);
  const iccid = draws((round) => String(((round * 7919) % ROUTERS) * 10 + 3).padStart(6, '0'));
  return [
    { name: 'first page of 50, by serial', ours: () => ask({}), raw: () => raw.page('serial', 'organization', 0) },
    { name: 'first page of 50, by name', ours: () => ask({ sort: 'name' }), raw: () => raw.page('name', 'organization', 0) },
    {
      name: 'first page of 50 of the main account, newest',
      ours: () => ask({ sort: '-updated' }, mainClient),
      raw: () => raw.page('newest', 'main', 0),
    },
    {
      name: 'jump to any page by offset, by serial',
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.page('serial', 'organization', offset.raw()),
    },
    { name: 'search by ICCID', ours: () => ask({ field: 'iccid', search: iccid.ours() }), raw: () => raw.search(iccid.raw()) },
    {
      name: 'those that failed to download',
      ours: () => ask({ status: 'fail-to-download' }),
      raw: () => raw.ofStatus('Fail to download'),
    },
  ];
}

/** Engine passes until no router is due any more, compared with reading and writing the same rows in two statements. */
async function benchPasses(bench: BenchDatabase): Promise<void> {
  const settings = { kind: 'external', url: bench.ownerUrl, serveUrl: bench.serveUrl, poolSize: 2 } as const;
  const { pool, close } = await openDatabase(settings, silentLog);
  const database = createDatabase(pool, () => {});
  // No router is connected to it.
  const node = { id: '00000000-0000-0000-0000-000000000000' };
  const deviceLink = { awaitsSetUp: () => false };
  const passes = async () => {
    for (;;) {
      const { again } = await runEsimPass({ database, node, deviceLink }, defaultEsimTimeouts, [], new Date());
      if (again === undefined) return;
    }
  };
  const samples: Samples = { ours: [], raw: [] };
  let left = 0;
  for (let turn = 0; turn < PASSES; turn++) {
    await bench.owner.query(makeDue, [DUE_ROUTERS]);
    samples.ours.push(await timed(passes));
    left += (await bench.owner.query('select 1 from esim_profiles where due_at is not null')).rows.length;
    await bench.owner.query(makeDue, [DUE_ROUTERS]);
    samples.raw.push(
      await timed(async () => {
        await pool.query(readDue);
        await pool.query('update esim_profiles set due_at = null, looked_at = now() where due_at is not null');
      }),
    );
  }
  await close();
  printTable(
    `eSIM engine, ${DUE_ROUTERS.toLocaleString('en')} routers with ${PROFILES_EACH} profiles each are due`,
    [figureOf('all of them processed', samples, () => (left === 0 ? 'recorded' : `${left} were left out`))],
    [`p50 / p99 of ${PASSES}. Ceiling: the same profiles read by one statement and written back by another, without decisions.`],
  );
}

const makeDue = `update esim_profiles set due_at = now() where priority = 2 and router_id in (
  select id from routers order by id limit $1)`;
const readDue = `select r.reported, p.* from routers r join esim_profiles p on p.router_id = r.id
  where r.id in (select router_id from esim_profiles where due_at is not null) order by p.router_id, p.priority`;
