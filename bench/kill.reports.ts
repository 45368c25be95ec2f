import { setRules } from './alerts.ts';
import { startChild, type Child } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import { killInTurn, startAgain, type Kept } from './kill.ts';
import { seedTablesAround } from './tables-around.ts';
import { options } from './options.ts';
import { allReconciled, withinFileLimit } from './routers.ts';
import { description, seedRouters } from './routers.seed.ts';
import { isWeakAt, type Acknowledged } from './sender.report.ts';
import type { SenderResponses } from './sender.ts';
import { whole } from './table.ts';

const ROUTERS = withinFileLimit(options.routers ?? (options.short ? 20 : 200));
/** The routers are switched on over this time. */
const RAMP_MS = Math.max(1_000, 2 * ROUTERS);
/** Acknowledged reports between two kills. */
const STEP = ROUTERS * (options.short ? 10 : 40);
/** As short as the server allows; a large fleet at the pace it ships with. */
const REPORT_SECONDS = ROUTERS > 2_000 ? 60 : 10;
const PACE = { REPORT_SECONDS: String(REPORT_SECONDS) };
/** The server corrects a router's clock by what it measured, which is off by half of a round trip: in a storm seconds. Less than to the next report. */
const NEAR_SECONDS = 0.4 * REPORT_SECONDS;
/** Reports are of times that have passed. */
const BEFORE_SECONDS = 1_800;
/** Of `setRules`: the tenth is about RSRP below -120. */
const RULES = 10;

/** What of the acknowledged seconds is stored. */
const found = {
  readings: 'join telemetry_reports t on t.router_id = r.id and t.at = to_timestamp(k.second)',
  'readings by measured clocks': `cross join lateral (select from telemetry_reports t
    where t.router_id = r.id and t.at between to_timestamp(k.second - ${NEAR_SECONDS}) and to_timestamp(k.second + ${NEAR_SECONDS}) limit 1) t`,
  positions: "cross join lateral positions_between(r.id, to_timestamp(k.second), to_timestamp(k.second) + interval '1 second') p",
  'counters of data used': `join (select router_id, at + m * interval '1 millisecond' as at from all_usage_segments, unnest(milliseconds) m) u
    on u.router_id = r.id and u.at = to_timestamp(k.second)`,
} as const;
type Found = keyof typeof found;

/** Agents that send reports as fast as they are acknowledged, and repeat the others. */
export async function killReports(cluster: Cluster, name: string, kinds: readonly Found[], hasRules = false): Promise<Kept[]> {
  const database = await cluster.open(`kill_${name}`);
  const { routers } = await seedRouters(database, ROUTERS);
  await seedTablesAround(database);
  if (hasRules) await setRules(database, RULES);
  const server = await startHighline(cluster, database);
  const sender = await startChild<SenderResponses>('sender.ts');
  await sender.ask('start', server.url.replace('http', 'ws'), routers, Math.floor(Date.now() / 1_000) - BEFORE_SECONDS);
  const last = await killInTurn(cluster, { database, server, count: () => sender.ask('count'), step: STEP });
  const acknowledged = await sender.ask('finish');
  const kept = await findAll(database, kinds, acknowledged);
  if (hasRules) kept.push(await findStates(database, acknowledged));
  await close(sender, last, database);
  return kept;
}

/** Routers as they ship, which keep what is not acknowledged, at their own pace; and how long it takes until all are right after a kill. */
export async function killPace(cluster: Cluster): Promise<Kept[]> {
  const database = await cluster.open('kill_pace');
  const { routers } = await seedRouters(database, ROUTERS);
  await seedTablesAround(database);
  const server = await startHighline(cluster, database, PACE);
  const fleet = await startChild<FleetResponses>('fleet.ts');
  await fleet.ask('note');
  await fleet.ask('start', server.url.replace('http', 'ws'), routers.map(description), RAMP_MS);
  await allReconciled(server, ROUTERS);
  const last = await killInTurn(cluster, {
    database,
    server,
    settings: PACE,
    count: () => fleet.ask('count'),
    step: ROUTERS,
  });
  await allReconciled(last, ROUTERS);
  const begin = performance.now();
  await last.kill();
  const again = await startAgain(cluster, { database, server, settings: PACE });
  await allReconciled(again, ROUTERS);
  console.log(
    `\n${whole(ROUTERS)} routers are right ${((performance.now() - begin) / 1_000).toFixed(1)} s after the server was killed.`,
  );
  const kept = await findAll(database, ['readings by measured clocks'], await fleet.ask('acknowledged'));
  kept.push({
    what: `routers that were said to be offline, which none was (${await reasonsOf(database)})`,
    acknowledged: 0,
    found: await countOffline(database),
  });
  await close(fleet, again, database);
  return kept;
}

/** How often a router was said to be offline. */
export async function countOffline({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await owner.query<{ n: number }>("select count(*)::int as n from connectivity where kind = 'offline'");
  return rows[0]!.n;
}

async function reasonsOf({ owner }: BenchDatabase): Promise<string> {
  const { rows } = await owner.query<{ reason: string; n: number }>(
    "select reason, count(*)::int as n from connectivity where kind = 'offline' group by reason order by n desc",
  );
  return rows.map(({ reason, n }) => `${reason} ${n}`).join(', ') || 'no reason';
}

async function close(
  sender: Pick<Child<never>, 'stop'>,
  server: Pick<Child<never>, 'stop'>,
  database: BenchDatabase,
): Promise<void> {
  await sender.stop();
  await server.stop();
  await database.close();
}

async function findAll({ owner }: BenchDatabase, kinds: readonly Found[], all: readonly Acknowledged[]): Promise<Kept[]> {
  const pairs = all.flatMap(({ endpointId, seconds }) => [...new Set(seconds)].map((second) => [endpointId, second] as const));
  const kept: Kept[] = [];
  for (const kind of kinds) {
    const { rows } = await owner.query<{ n: number; all: number }>(
      `select count(distinct (k.endpoint_id, k.second))::int as n, count(*)::int as "all" from unnest($1::text[], $2::float8[]) k (endpoint_id, second)
         join routers r on r.endpoint_id = k.endpoint_id ${found[kind]}`,
      [pairs.map(([id]) => id), pairs.map(([, second]) => second)],
    );
    kept.push({
      what: `${kind} of ${whole(all.length)} routers`,
      acknowledged: pairs.length,
      found: rows[0]!.n,
      twice: rows[0]!.all - rows[0]!.n,
    });
  }
  return kept;
}

/** Whether the rule holds on each router as its last report says. */
async function findStates({ owner }: BenchDatabase, all: readonly Acknowledged[]): Promise<Kept> {
  const { rows } = await owner.query<{ endpoint_id: string }>(
    'select r.endpoint_id from alert_states s join routers r on r.id = s.router_id where s.cleared_at is null',
  );
  const held = new Map<string, number>();
  for (const { endpoint_id: id } of rows) held.set(id, (held.get(id) ?? 0) + 1);
  const right = all.filter(
    ({ endpointId, seconds }) => (held.get(endpointId) ?? 0) === Number(isWeakAt(seconds.reduce((a, b) => Math.max(a, b)))),
  );
  return { what: 'routers on which a condition holds as their last report says', acknowledged: all.length, found: right.length };
}
