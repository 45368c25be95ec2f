import type { Job } from '../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { cellAt } from '../coverage/index.ts';
import {
  beginStep,
  deleteOld,
  endOfFormer,
  endOfPage,
  endOutages,
  holdStep,
  insertBegun,
  readBegun,
  readTakenOver,
  saveProgress,
  type BegunOutage,
  type Place,
  type Rest,
} from './outages.job.queries.ts';

/** Connections are stored up to this long after their time, by another process or after an interruption. */
const LATE_MS = 15 * 60_000;
/** The longest time of a step. */
const STEP_MS = 3_600_000;
/** What was read less than this ago was read by another process: it is not read again. */
const JUST_READ_MS = 25_000;
/** Connections, or changes of routers' owners, that are read in one transaction. */
const PAGE = 1_000;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The jobs of outages (RPM-04): one notes outages as connections end and begin, in pages of one transaction each, so that a process that is killed
 * leaves the rest for the next run; an outage that is read again is stored once, and how many routers lost their connections at once does not matter.
 * @param days for which outages are kept after their end
 */
export function createOutageJobs(database: Database, days: number): Job[] {
  return [
    {
      name: 'outages',
      everyMs: 30_000,
      async run(now) {
        while (await readNext(database, now)) continue;
      },
    },
    {
      name: 'outages: retention',
      everyMs: 3_600_000,
      async run(now) {
        while (await database.write((tx) => deleteOld(tx, now, days))) continue;
      },
    },
  ];
}

/** Read the connections of the next step, each page in a transaction of its own. @returns whether more follow */
async function readNext(database: Database, now: Date): Promise<boolean> {
  const read = await database.write((tx) => beginStep(tx, now));
  if (read === undefined || Math.abs(now.getTime() - read.getTime()) < JUST_READ_MS) return false;
  const from = new Date(Math.min(read.getTime(), now.getTime()) - LATE_MS);
  const until = new Date(Math.min(read.getTime() + STEP_MS, now.getTime()));
  /** Once another process has read this step, nothing more is done for it. */
  const unlessRead = <Result>(work: (tx: Tx) => Promise<Result>) =>
    database.write(async (tx) => ((await holdStep(tx, read)) ? work(tx) : undefined));
  // Devices that got a router come first: connections of the same step end their outages.
  for (const readPage of [readOwners, readConnections])
    for (let after: Place | undefined = { at: from.toISOString(), router_id: LEAST_ID }; after !== undefined;) {
      const rest: Rest = { after, until };
      after = await unlessRead<Place | undefined>((tx) => readPage(tx, rest, now));
    }
  const isDone = await unlessRead(async (tx) => {
    await endOfFormer(tx, from);
    await saveProgress(tx, until);
    return true;
  });
  return isDone === true && until < now;
}

async function readOwners(tx: Tx, { after, until }: Rest, now: Date): Promise<Place | undefined> {
  const last = await endOfPage(tx, 'router_ownership', { after, until }, PAGE);
  if (last !== undefined) await store(tx, await readTakenOver(tx, { after, last }, now));
  return last;
}

async function readConnections(tx: Tx, { after, until }: Rest, now: Date): Promise<Place | undefined> {
  const last = await endOfPage(tx, 'connectivity', { after, until }, PAGE);
  if (last === undefined) return undefined;
  await store(tx, await readBegun(tx, { after, last }, now));
  await endOutages(tx, { after, last });
  return last;
}

const store = (tx: Tx, begun: readonly BegunOutage[]) =>
  insertBegun(
    tx,
    begun.map((outage) => ({ ...outage, hexagon: hexagonOf(outage) })),
  );

const hexagonOf = ({ latitude, longitude }: { readonly latitude: number | null; readonly longitude: number | null }) =>
  latitude === null || longitude === null ? null : cellAt(latitude, longitude);
