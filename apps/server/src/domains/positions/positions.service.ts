import type { positions } from '@highline/contract';
import type { Job } from '../../platform/jobs/runner.ts';
import { announceAll } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { batchWriterDefaults, BatchWriter, type BatchWriterSettings } from '../../platform/retry/batch-writer.ts';
import { organizationsOfRouters } from '../devices/index.ts';
import { FaultCounts, type CountFault } from './fault-counts.ts';
import { checkFix, fixRejections, type Fix, type FixRejection, type ReportedFix } from './fix.ts';
import { isLocationPath } from './paths.ts';
import { createPositionFaults } from './position-faults.ts';
import { purgeFaults } from './position-faults.job.queries.ts';
import { closeOldSegments, dropOldPositions, ensurePositionPartitions } from './position.partitions.ts';
import { storePositions, type PositionRow, type StoredPositions } from './position.rows.ts';
import { positionTextsOf, readReportedFixes, type PositionDocument, type PositionTexts, type ReportedValues } from './push.ts';

export interface PositionsDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Days that positions are kept (setting POSITION_DAYS). */
  readonly retentionDays: number;
  /** Looks at routers whose positions are stored, in that transaction: alert rules. */
  readonly compare?: (tx: Tx, routerIds: readonly string[]) => Promise<void>;
  readonly settings?: Partial<BatchWriterSettings>;
  /** Looks at all positions where they are stored, late ones too, in that transaction: coverage. */
  readonly onWritten?: (tx: Tx, rows: readonly PositionRow[]) => Promise<void>;
  /** What follows from new positions, in the transaction that stores them. */
  readonly onStored?: (tx: Tx, stored: StoredPositions) => Promise<void>;
}

export interface PositionStats {
  /** Positions committed since the start. */
  readonly written: number;
  /** Positions that wait to be committed. */
  readonly waiting: number;
  /** Positions and documents that were rejected. */
  readonly rejected: Readonly<Record<FixRejection, number>>;
}

/** Takes positions of routers from the gateway (POS-01). */
export interface Positions {
  /** Create partitions; before the first position. */
  start(): Promise<void>;
  /** Whether a parameter holds a PIDF-LO document. */
  isLocation(path: string): boolean;
  /**
   * Take the positions in the reports of a Push! event; undefined when it has none. Resolves when they are committed; what is rejected is counted.
   * @throws RowsRejected when too much already waits: the caller must not acknowledge them
   */
  pushed(routerId: string, reports: readonly ReportedValues[]): Promise<void> | undefined;
  /** The same for a PIDF-LO document that changed now; an empty one says that there is no fix. */
  located(routerId: string, document: string): Promise<void> | undefined;
  /** The same for documents that were read, and may be those of the last time. */
  read(routerId: string, documents: readonly PositionDocument[]): Promise<void> | undefined;
  /** Creates tomorrow's partitions and drops expired ones. */
  readonly retention: Job;
  /** Commit what waits, at most within the timeout. */
  stop(timeoutMs?: number): Promise<void>;
  stats(): PositionStats;
}

const RETENTION_EVERY_MS = 3_600_000;
/** Positions written in one call; a router that was long without coverage has more. */
const MOST_AT_ONCE = 1_000;
/** Routers and reasons that were logged; beyond, each may be logged again. */
const MOST_LOGGED = 10_000;

/** Checks positions, stores them in batches and announces them to consoles. */
export function createPositions({
  database,
  clock,
  log,
  retentionDays,
  compare,
  settings,
  onStored,
  onWritten,
}: PositionsDeps): Positions {
  let storedFrom = 0;
  const rejected = Object.fromEntries(fixRejections.map((reason) => [reason, 0])) as Record<FixRejection, number>;
  const logged = new Set<string>();
  const faults = createPositionFaults({ database, clock, log });
  const makePartitions = async () => {
    storedFrom = await ensurePositionPartitions(database, clock.now(), retentionDays);
  };
  const store = (rows: readonly PositionRow[]) =>
    database.write(async (tx) => {
      const stored = await storePositions(tx, rows, clock.now());
      await onStored?.(tx, stored);
      await onWritten?.(tx, rows);
      const routerIds = [...new Set(rows.map(({ routerId }) => routerId))];
      await compare?.(tx, routerIds);
      await announceAll(tx, await organizationsOfRouters(tx, routerIds), 'positions');
    });
  const writer = new BatchWriter('positions', store, makePartitions, { ...batchWriterDefaults, ...settings }, log);

  /** What was wrong with the positions of one message. */
  const keepFaults = (routerId: string, counts: FaultCounts) =>
    counts.forEach((reason, received, count) => {
      faults.add(routerId, reason, count, received);
      if (!isRejection(reason)) return;
      rejected[reason] += count;
      const key = `${routerId} ${reason}`;
      if (logged.has(key)) return;
      if (logged.size >= MOST_LOGGED) logged.clear();
      logged.add(key);
      log.info(
        { router: routerId, reason },
        'A position of a router was rejected; further ones for this reason are only counted.',
      );
    });

  /** The acceptable ones, one for each second, in order. */
  const check = (fixes: readonly ReportedFix[], countFault: CountFault): Fix[] => {
    const window = { now: clock.now().getTime(), from: storedFrom };
    const accepted: Fix[] = [];
    let isInOrder = true;
    for (const fix of fixes) {
      const checked = checkFix(fix, window);
      if (typeof checked === 'string') {
        countFault(checked, () => receivedOf(fix, checked));
        continue;
      }
      if (checked.corrected !== undefined) countFault(checked.corrected, () => timeText(fix));
      isInOrder &&= checked.at > (accepted.at(-1)?.at ?? -Infinity);
      accepted.push(checked);
    }
    // Trails are written in order of time: only others are compared with each other.
    if (isInOrder) return accepted;
    const bySecond = new Map<number, Fix>();
    for (const fix of accepted) {
      if (bySecond.has(fix.at)) countFault('too_many', '');
      else bySecond.set(fix.at, fix);
    }
    return [...bySecond.values()].toSorted((a, b) => a.at - b.at);
  };

  const write = async (routerId: string, fixes: readonly Fix[]): Promise<void> => {
    const parts = [];
    for (let start = 0; start < fixes.length; start += MOST_AT_ONCE)
      parts.push(writer.write(fixes.slice(start, start + MOST_AT_ONCE).map((fix) => ({ ...fix, routerId }))));
    await Promise.all(parts);
  };

  const take = (routerId: string, texts: PositionTexts): Promise<void> | undefined => {
    const counts = new FaultCounts();
    const fixes = check(readReportedFixes(texts, clock.now().getTime(), counts.add), counts.add);
    keepFaults(routerId, counts);
    return fixes.length === 0 ? undefined : write(routerId, fixes);
  };

  const read = (routerId: string, documents: readonly PositionDocument[]) =>
    take(routerId, { trails: [], locations: documents.filter(({ text }) => text.trim() !== '') });

  return {
    start: makePartitions,
    isLocation: isLocationPath,
    pushed(routerId, reports) {
      const texts = positionTextsOf(reports);
      return texts && take(routerId, texts);
    },
    located: (routerId, text) => read(routerId, [{ text, acquiredAt: clock.now().getTime() }]),
    read,
    retention: {
      name: 'positions.retention',
      everyMs: RETENTION_EVERY_MS,
      async run(now) {
        await closeOldSegments(database, now, retentionDays);
        await dropOldPositions(database, now, retentionDays);
        await database.write((tx) => purgeFaults(tx, new Date(now.getTime() - retentionDays * 86_400_000)));
        await makePartitions();
      },
    },
    async stop(timeoutMs = 10_000) {
      await writer.close(timeoutMs);
      await faults.flush();
    },
    stats: () => ({ written: writer.written, waiting: writer.waiting, rejected: { ...rejected } }),
  };
}

function isRejection(reason: FixRejection | positions.PositionCorrection): reason is FixRejection {
  return (fixRejections as readonly string[]).includes(reason);
}

/** The time as it came, ISO 8601; of one that no calendar has, the number. */
function timeText({ at }: ReportedFix): string {
  const time = new Date(Math.floor(at) * 1_000);
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString();
}

/** What a person needs to see of a rejected position. */
function receivedOf(fix: ReportedFix, reason: FixRejection): string {
  return reason === 'outside' || reason === 'zero' ? `${fix.latitude}, ${fix.longitude}` : timeText(fix);
}
