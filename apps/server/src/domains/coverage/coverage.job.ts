import type { Job } from '../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import {
  addUpVehicles,
  deleteComparison,
  findDueDay,
  insertComparison,
  noteCompared,
  readTotals,
  readVehicleIds,
  readVehicles,
  type DueDay,
} from './comparison.job.queries.ts';
import { compareVehicles, totalsOf } from './comparison.ts';
import {
  addToDays,
  closeSlots,
  isLockTimeout,
  isMine,
  markAgain,
  markClosed,
  noteChanges,
  readDrops,
  readSamples,
  replaceSlots,
  takeDue,
} from './coverage.job.queries.ts';
import { deleteOldCoverage, dropOldSlots, ensureCoveragePartitions, oldestSlot } from './coverage.retention.ts';
import { changesOf, foldSlots, fullAt } from './folding.ts';

const SLOT_MS = 600_000;
/** A slot is read this long after its end: most of its reports have arrived. Later ones mark it again. */
const GRACE_MS = 120_000;
/** Slots of routers in one transaction. */
const SLOTS = 200;
/** A day that goes on, or whose comparison failed, is compared again after this time. */
const COMPARE_MS = 15 * 60_000;
/** Vehicles whose values are in memory at once. */
const VEHICLES = 50;

export interface CoverageJobs {
  /** Where signals, positions and lost connections meet: adds them to the sums by hexagon and day. */
  readonly folding: Job;
  /** Compares vehicles with each other. */
  readonly comparison: Job;
  readonly retention: Job;
}

/**
 * The jobs of coverage (POS-06). Each step is one transaction together with the marks that it takes away, so a process that is killed leaves the
 * rest for the next run, and nothing is counted twice; of several processes one does the work.
 * @param retentionDays setting POSITION_DAYS
 */
export function createCoverageJobs(database: Database, retentionDays: number): CoverageJobs {
  let hasPartitions = false;
  const failed: FailedDay[] = [];
  return {
    folding: {
      name: 'coverage.slots',
      everyMs: 10_000,
      async run(now) {
        if (!hasPartitions) await ensureCoveragePartitions(database, now);
        hasPartitions = true;
        await close(database, new Date(Math.floor((now.getTime() - GRACE_MS) / SLOT_MS) * SLOT_MS));
        const oldest = oldestSlot(now, retentionDays);
        while (await database.write((tx) => markClosed(tx, oldest))) continue;
        while ((await database.write((tx) => foldDue(tx, now, oldest))) === SLOTS) continue;
      },
    },
    comparison: {
      name: 'coverage.comparison',
      everyMs: 30_000,
      async run(now) {
        await compareAll(database, now, failed);
      },
    },
    retention: {
      name: 'coverage.retention',
      everyMs: 3_600_000,
      async run(now) {
        await ensureCoveragePartitions(database, now);
        await dropOldSlots(database, now);
        await deleteOldCoverage(database, now, retentionDays);
      },
    },
  };
}

async function close(database: Database, until: Date): Promise<void> {
  try {
    await database.write((tx) => closeSlots(tx, until));
  } catch (error) {
    // The next run tries again; slots that are closed already can be read.
    if (!isLockTimeout(error)) throw error;
  }
}

/** Read some slots that are due. @returns how many */
async function foldDue(tx: Tx, now: Date, oldest: Date): Promise<number> {
  if (!(await isMine(tx, 'slots'))) return 0;
  const taken = await takeDue(tx, now, SLOTS);
  const due = taken.filter(({ slot }) => slot >= oldest);
  if (due.length === 0) return taken.length;
  const [samples, drops] = [await readSamples(tx, due), await readDrops(tx, due)];
  const cells = foldSlots(samples, drops, now);
  const changes = changesOf(await replaceSlots(tx, due, cells), cells);
  await addToDays(tx, changes);
  await noteChanges(tx, changes);
  await markAgain(
    tx,
    drops.flatMap((drop) => {
      const dueAt = fullAt(drop, now);
      return dueAt === undefined ? [] : [{ router_id: drop.router_id, slot: drop.slot, dueAt }];
    }),
  );
  return taken.length;
}

/** A day whose comparison failed is compared again after a time, so that the others go on. */
interface FailedDay extends DueDay {
  readonly failedAt: Date;
}

/** @throws AggregateError naming the days whose comparison failed */
async function compareAll(database: Database, now: Date, failed: FailedDay[]): Promise<void> {
  const before = new Date(now.getTime() - COMPARE_MS);
  const waiting = failed.splice(0).filter(({ failedAt }) => failedAt > before);
  failed.push(...waiting);
  const failures: Error[] = [];
  for (;;) {
    const day = await findDueDay(database.read, before, failed);
    if (day === undefined) break;
    try {
      if (!(await database.write((tx) => compare(tx, day, now)))) break;
    } catch (cause) {
      failed.push({ ...day, failedAt: now });
      failures.push(new Error(`Vehicles of ${day.organization_id} on ${day.day} were not compared.`, { cause }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join(' '));
}

/** Compare the vehicles of a day with each other. @returns false when another process compares */
async function compare(tx: Tx, day: DueDay, now: Date): Promise<boolean> {
  if (!(await isMine(tx, 'comparisons'))) return false;
  await deleteComparison(tx, day);
  const vehicles = await readVehicleIds(tx, day);
  for (let first = 0; first < vehicles.length; first += VEHICLES) {
    const own = await readVehicles(tx, day, vehicles.slice(first, first + VEHICLES));
    const totals = totalsOf(await readTotals(tx, day, new Set(own.map(({ cell }) => cell))));
    await insertComparison(tx, day, compareVehicles(own, totals));
  }
  await addUpVehicles(tx, day);
  await noteCompared(tx, day, now);
  return true;
}
