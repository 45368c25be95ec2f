import type { Job } from '../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { cellAt } from '../coverage/index.ts';
import {
  deleteOld,
  endOutages,
  insertBegun,
  lockProgress,
  readBegun,
  readTakenOver,
  saveProgress,
} from './outages.job.queries.ts';

/** Connections are stored up to this long after their time, by another process or after an interruption. */
const LATE_MS = 15 * 60_000;
/** The longest time that is read in one transaction. */
const STEP_MS = 3_600_000;

/**
 * The jobs of outages (RPM-04): one notes outages as connections end and begin, in steps of one transaction each, so that a process that is killed
 * leaves the rest for the next run; an outage that is read again is stored once.
 * @param days for which outages are kept after their end
 */
export function createOutageJobs(database: Database, days: number): Job[] {
  return [
    {
      name: 'outages',
      everyMs: 30_000,
      async run(now) {
        while (await database.write((tx) => readNext(tx, now))) continue;
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

/** Read the connections of the next step. @returns whether more follow */
async function readNext(tx: Tx, now: Date): Promise<boolean> {
  const read = await lockProgress(tx);
  if (read === undefined) return false;
  const from = new Date(Math.min(read.getTime(), now.getTime()) - LATE_MS);
  const until = new Date(Math.min(read.getTime() + STEP_MS, now.getTime()));
  const begun = [...(await readBegun(tx, from, until, now)), ...(await readTakenOver(tx, from, until, now))];
  await insertBegun(
    tx,
    begun.map((outage) => ({ ...outage, hexagon: hexagonOf(outage) })),
  );
  await endOutages(tx, from, until);
  await saveProgress(tx, until);
  return until < now;
}

const hexagonOf = ({ latitude, longitude }: { readonly latitude: number | null; readonly longitude: number | null }) =>
  latitude === null || longitude === null ? null : cellAt(latitude, longitude);
