import { esims as contract } from '@highline/contract';
import { defaultEsimTimeouts } from '../apps/server/src/domains/esims/engine/facts.ts';
import { runEsimPass } from '../apps/server/src/domains/esims/engine/pass.ts';
import { openParts, prepareForReads, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { figureOf, inTurn, type Pair, type Run } from './compare.ts';
import { seedDevices, type BigOrganization } from './devices.seed.ts';
import { options } from './options.ts';
import { printTable, whole } from './table.ts';

const ROUTERS = options.short ? 1_000 : 20_000;
const PROFILES_EACH = 5;
const PROFILES = ROUTERS * PROFILES_EACH;
/** Routers due at the same time, and number of passes. */
const DUE_ROUTERS = ROUTERS / 10;
const PASSES = 5;

/** With the bearer of a user of the main account, who sees the profiles of all organizations. */
type Profiled = BigOrganization & { readonly mainBearer: string };

/** The eSIM list over real HTTP alternating with raw SQL, and the cost of an engine pass over many profiles. */
export function benchEsims(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_esims',
    seed: seedProfiles,
    title: `eSIM list, ${whole(PROFILES)} profiles`,
    rounds: 105,
    pairs: listPairs,
    // A running engine would process what the passes need.
    alone: benchPasses,
  });
}

const orders = {
  serial: 'p.serial, p.priority, p.id',
  name: 'p.name, p.serial, p.id',
  newest: 'p.updated_at desc, p.id desc',
} as const;

const columns = `p.id, p.device_id, p.serial, p.eid, p.is_preloaded, p.sealed_code, p.iccid, p.apn, p.apn2, p.name, p.carrier, p.status,
  p.reason, p.priority, p.version, p.created_at, p.updated_at`;

function listPairs({ clientOf, raw, seeded: { bearer, mainBearer, organizationId, mainAccountId } }: Run<Profiled>): Pair[] {
  const [client, mainClient] = [clientOf(bearer), clientOf(mainBearer)];
  const ask = (query: Readonly<Record<string, string>>, from = client) =>
    from.get(contract.listProfiles.path, { limit: '50', ...query });
  const page = (where: string, order: keyof typeof orders, values: readonly unknown[], offset = 0) =>
    raw(
      [`select ${columns} from esim_profiles p where ${where} order by ${orders[order]} limit 50 offset ${offset}`, values],
      [`select count(*)::int as total from esim_profiles p where ${where}`, values],
    );
  const own = (order: keyof typeof orders, offset = 0, condition = 'true', ...values: readonly unknown[]) =>
    page(`p.organization_id = $1 and ${condition}`, order, [organizationId, ...values], offset);
  const offsetOf = (round: number) => ((round * 7919) % Math.floor(PROFILES / 50)) * 50;
  const iccidOf = (round: number) => String(((round * 7919) % ROUTERS) * 10 + 3).padStart(6, '0');
  return [
    { name: 'first page of 50, by serial', ours: () => ask({}), raw: () => own('serial') },
    { name: 'first page of 50, by name', ours: () => ask({ sort: 'name' }), raw: () => own('name') },
    {
      name: 'first page of 50 of the main account, newest',
      ours: () => ask({ sort: '-updated' }, mainClient),
      raw: () => page('p.main_account_id = $1', 'newest', [mainAccountId]),
    },
    {
      name: 'jump to any page by offset, by serial',
      ours: (round) => ask({ offset: String(offsetOf(round)) }),
      raw: (round) => own('serial', offsetOf(round)),
    },
    {
      name: 'search by ICCID',
      ours: (round) => ask({ field: 'iccid', search: iccidOf(round) }),
      raw: (round) => own('serial', 0, "p.iccid like '%' || $2 || '%'", iccidOf(round)),
    },
    {
      name: 'those that failed to download',
      ours: () => ask({ status: 'fail-to-download' }),
      raw: () => own('serial', 0, 'p.status = $2', 'Fail to download'),
    },
  ];
}

/** Engine passes until no router is due any more, compared with reading and writing the same rows in two statements. */
async function benchPasses({ owner, ...bench }: BenchDatabase): Promise<void> {
  const { deps, close } = await openParts({ owner, ...bench }, 2);
  const { database } = deps;
  // No router is connected to it.
  const node = { id: '00000000-0000-0000-0000-000000000000' };
  const deviceLink = { awaitsSetUp: () => false };
  const passes = async () => {
    for (;;) {
      const { again } = await runEsimPass(
        { database, node, deviceLink, mayAct: async () => true },
        defaultEsimTimeouts,
        [],
        new Date(),
      );
      if (again === undefined) return;
    }
  };
  let left = 0;
  const samples = await inTurn(
    {
      async ours() {
        await owner.query(makeDue, [DUE_ROUTERS]);
        await passes();
        left += (await owner.query('select 1 from esim_profiles where due_at is not null')).rows.length;
      },
      async raw() {
        await owner.query(makeDue, [DUE_ROUTERS]);
        await owner.query(readDue);
        await owner.query('update esim_profiles set due_at = null, looked_at = now() where due_at is not null');
      },
      warmUp: 0,
    },
    PASSES,
  );
  await close();
  const aim = { text: 'none is left out', isMet: () => left === 0 };
  printTable(
    `eSIM engine, ${whole(DUE_ROUTERS)} routers with ${PROFILES_EACH} profiles each are due`,
    [figureOf('all of them made due and processed', samples, aim)],
    [`p50 / p99 of ${PASSES}. Ceiling: the same profiles read by one statement and written back by another, without decisions.`],
  );
}

const makeDue = `update esim_profiles set due_at = now() where priority = 2 and router_id in (
  select id from routers order by id limit $1)`;
const readDue = `select r.reported, p.* from routers r join esim_profiles p on p.router_id = r.id
  where r.id in (select router_id from esim_profiles where due_at is not null) order by p.router_id, p.priority`;

/** 100,000 profiles of one organization, most of them installed; no router is connected. */
async function seedProfiles(database: BenchDatabase): Promise<Profiled> {
  const organization = await seedDevices(database, ROUTERS);
  const { owner, seeding } = database;
  const { mainAccountId, organizationId } = organization;
  await owner.query(insertProfiles, [organizationId, PROFILES_EACH]);
  await prepareForReads(database, ['esim_profiles']);
  const person = await seeding.account({ kind: 'main', mainAccountId }, 'main@bench.example', 'main');
  return { ...organization, mainBearer: await seeding.bearer(person) };
}

const insertProfiles = `insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, eid, is_preloaded,
    iccid, apn, name, carrier, status, priority, created_at, updated_at, path)
  select r.organization_id, gen_random_uuid(), r.main_account_id, r.device_id, r.id, r.serial, lpad(r.n::text, 32, '8'), p = 1,
    '89' || lpad((r.n * 10 + p)::text, 17, '0'), 'fleet' || (r.n * 7919 + p) % 12, 'Plan ' || (r.n * 7919 + p) % 400,
    (array['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'])[1 + (r.n + p) % 5],
    case when p = 1 then 'In Use' when (r.n + p) % 40 = 0 then 'Fail to download' else 'Activated' end, p, now(),
    now() - ((r.n * 7919 + p) % 900000) * interval '1 second', 'Device.TrustedElements.SIM.1.Profile.' || p || '.'
  from (select *, row_number() over (order by id) as n from routers where organization_id = $1) r, generate_series(1, $2::int) p`;
