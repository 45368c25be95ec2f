import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { rollouts as contract } from '@highline/contract';
import { ask } from '@highline/testkit/calls';
import type { Cluster } from './cluster.ts';
import { createHttpClient } from './http-client.ts';
import { cpuOf, cpuOfFamily, percentile, timed } from './measure.ts';
import type { RolloutGroup, RolloutFixture } from './rollouts.seed.ts';
import { watchStatements } from './statements.ts';

/** A short power loss; the following start takes four seconds more. */
const OFF_MS = 2_000;
/** After this time, unfinished routers are counted and named: so long, and more for each router. */
const TIMEOUT_MS = 150_000;
const TIMEOUT_MS_EACH = 60;
/** The database says when the last one ended, so this does not limit what is measured. */
const LOOK_EVERY_MS = 1_000;
/** Between two pages of a list that someone reads meanwhile. */
const READ_EVERY_MS = 200;

export interface RolloutInput {
  readonly kind: 'firmware' | 'config';
  readonly group: RolloutGroup;
  /** pk of the file. */
  readonly file: string;
  /** Every fifth router loses its power at a random time within this many milliseconds; left out: none does. */
  readonly cutWithinMs?: number;
}

export interface RolloutRun {
  /** From the bind's request to the last successful router. */
  readonly ms: number;
  readonly successful: number;
  /** Routers that ended otherwise or not at all, by state and reason; empty when all succeeded. */
  readonly others: readonly string[];
  /** Routers that lost their power. */
  readonly cut: number;
  /** CPU seconds; of the servers together. */
  readonly cpu: { readonly server: number; readonly database: number; readonly generator: number };
  /** What someone who reads a list of devices meanwhile waits for a page, p50 and p99; a page that fails fails the run. */
  readonly pages: readonly [p50: number, p99: number];
  /** Of PostgreSQL, with `--statements`. */
  readonly statements: readonly string[];
  /** Resident bytes of the first server: before, at most, and after garbage collection. */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number };
}

/** Bind a file to a group and wait until every router of it has ended. */
export async function runRollout(
  fixture: RolloutFixture,
  cluster: Cluster,
  { kind, group, file, cutWithinMs }: RolloutInput,
): Promise<RolloutRun> {
  const { server, servers, fleet } = fixture;
  const before = (await server.ask('memory')).rss;
  resetPeak(server.pid);
  const used = () => ({
    server: servers.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    database: cpuOfFamily(cluster.pid()),
    generator: cpuOf(fleet.pid),
  });
  const readStatements = await watchStatements(cluster);
  const atFirst = used();
  const saved = Date.now();
  const stopReading = readPages(fixture);
  await bindFile(fixture, kind, group.key, file);
  const toCut = cutWithinMs === undefined ? [] : group.routers.filter((_, index) => index % 5 === 0);
  if (cutWithinMs !== undefined)
    await fleet.ask(
      'cut',
      toCut.map(({ serial }) => serial),
      cutWithinMs,
      OFF_MS,
    );
  const ends = await untilEnded(fixture, kind, group);
  const atLast = used();
  const pages = await stopReading();
  const good = ends.filter(({ state }) => state === 'successful');
  return {
    ms: Math.max(...good.map(({ last }) => last.getTime())) - saved,
    successful: good.reduce((sum, { count }) => sum + count, 0),
    others: ends
      .filter(({ state }) => state !== 'successful')
      .map(({ count, state, reason }) => `${count} ${state} (${reason ?? 'no reason'})`),
    cut: toCut.length,
    cpu: {
      server: atLast.server - atFirst.server,
      database: atLast.database - atFirst.database,
      generator: atLast.generator - atFirst.generator,
    },
    pages: [percentile(pages, 0.5), percentile(pages, 0.99)],
    statements: await readStatements(),
    memory: { before, peak: peakOf(server.pid), after: (await server.ask('memory')).rss },
  };
}

/** Read pages of a list, one after another. @returns stops, with the duration of each in ms */
function readPages({ server, bearer }: RolloutFixture): () => Promise<number[]> {
  const client = createHttpClient(server.url, bearer);
  const durations: number[] = [];
  const stopping = new AbortController();
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      durations.push(await timed(() => client.get('/data_manager/v1/dm/devices', { limit: '50' })));
      await pause(READ_EVERY_MS);
    }
  })();
  return async () => {
    stopping.abort();
    await reading;
    client.close();
    return durations;
  };
}

/** Bind a file to a group: every router of it gets it at once. */
export async function bindFile(
  { server, bearer }: RolloutFixture,
  kind: 'firmware' | 'config',
  group: string,
  file: string,
): Promise<void> {
  const { path } = kind === 'firmware' ? contract.bindFirmware : contract.bindConfig;
  await ask(server.url + path, { bearer, body: { group, [kind]: file, schedule: 'immediate' } });
}

export interface End {
  readonly state: string;
  readonly reason: string | null;
  readonly count: number;
  readonly last: Date;
}

/** Wait until every router of a rollout has ended. @returns how, and when the last one did */
export async function untilEnded({ database }: RolloutFixture, kind: string, { key, routers }: RolloutGroup): Promise<End[]> {
  const until = Date.now() + TIMEOUT_MS + routers.length * TIMEOUT_MS_EACH;
  for (;;) {
    const { rows } = await database.owner.query<End>(countTargets, [kind, key]);
    const isOver = rows.every(({ state }) => ['successful', 'failed', 'rolled-back', 'unsupported'].includes(state));
    if (isOver || Date.now() > until) return rows;
    await pause(LOOK_EVERY_MS);
  }
}

const countTargets = `select state, reason, count(*)::int as count, max(updated_at) as last
  from rollout_targets where binding_id = (select id from bindings where kind = $1 and group_key = $2 and ended_at is null)
  group by state, reason`;

/** Reset the kernel's peak of resident memory (proc(5), clear_refs). */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Bytes. */
function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
