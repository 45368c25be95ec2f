import { setTimeout as pause } from 'node:timers/promises';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import { whole } from './table.ts';

/** What is not there after this long is missing, in ms. */
export const MISSING_AFTER_MS = 180_000;

/** What was acknowledged, and how much of it is there. */
export interface Kept {
  /** `readings` */
  readonly what: string;
  readonly acknowledged: number;
  readonly found: number;
  /** There once more: its acknowledgement was lost with a kill, so that it was sent again. */
  readonly twice?: number;
}

/** Work that goes on while what it depends on is killed. */
interface Work {
  readonly database: BenchDatabase;
  readonly server: Highline;
  readonly settings?: NodeJS.ProcessEnv;
  /** How much is done so far: each kill waits until there is more. */
  readonly count: () => Promise<number>;
  /** So much more. */
  readonly step: number;
}

/** The server, then PostgreSQL, then both at once: each killed while work is done. @returns the server that runs now */
export async function killInTurn(cluster: Cluster, work: Work): Promise<Highline> {
  const { database, server: first } = work;
  await untilMore(work);
  await first.kill();
  const second = await startAgain(cluster, work);
  await untilMore(work);
  await killDatabase(cluster, database);
  await untilMore(work);
  await Promise.all([second.kill(), killDatabase(cluster, database)]);
  const third = await startAgain(cluster, work);
  await untilMore(work);
  return third;
}

/** The server at the same address as the one that was killed. */
export function startAgain(
  cluster: Cluster,
  { database, server: { url }, settings }: Pick<Work, 'database' | 'server' | 'settings'>,
): Promise<Highline> {
  return startHighline(cluster, database, settings, Number(new URL(url).port));
}

/** Who started it starts it again, and it recovers. */
async function killDatabase(cluster: Cluster, database: BenchDatabase): Promise<void> {
  const pid = cluster.pid();
  if (pid === 0) throw new Error('PostgreSQL does not run.');
  process.kill(pid, 'SIGKILL');
  await waitUntil(() =>
    database.reconnect().then(
      () => true,
      () => false,
    ),
  );
}

async function untilMore({ count, step }: Work): Promise<void> {
  const first = await count();
  await waitUntil(async () => (await count()) >= first + step);
}

/** Resolves when it is true, which is looked at ten times a second, or after so long. */
export async function waitUntil(isTrue: () => Promise<boolean>, mostMs = Infinity): Promise<void> {
  const deadline = performance.now() + mostMs;
  while (!(await isTrue()) && performance.now() < deadline) await pause(100);
}

/** Print a line for each kind; the run ends with 1 if anything is missing. */
export function printKept(section: string, all: readonly Kept[]): void {
  console.log(`\n${section}: server, PostgreSQL, and both killed while it ran`);
  for (const { what, acknowledged, found, twice = 0 } of all) {
    console.log(
      `  ${what}: acknowledged ${whole(acknowledged)}, found ${whole(found)}${twice === 0 ? '' : `, ${whole(twice)} of them twice`}`,
    );
    if (acknowledged !== found) process.exitCode = 1;
  }
}
