import type { positions } from '@highline/contract';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import { announceAll } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { organizationsOfRouters } from '../devices/index.ts';
import { addFaults, type CollectedFault } from './position-faults.job.queries.ts';

/** Positions that came, but not usable ones, for the page of the device. */
export interface PositionFaults {
  /** Count positions for a reason. @param received what the last of them was: untrusted, sanitized here */
  add(routerId: string, reason: positions.PositionFault['reason'], count: number, received: string): void;
  /** Write what was collected. */
  flush(): Promise<void>;
}

const LONGEST = 200;
const COLLECT_MS = 3_000;
/** Rows of one statement. */
const BATCH = 1_000;

/** Collects for some seconds and writes one row for each router and reason. What a crash loses is counted with the next report. */
export function createPositionFaults({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>): PositionFaults {
  let collected = new Map<string, CollectedFault>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (faults: readonly CollectedFault[]) => {
    try {
      for (let start = 0; start < faults.length; start += BATCH) {
        const batch = faults.slice(start, start + BATCH);
        const routerIds = [...new Set(batch.map(({ routerId }) => routerId))];
        await database.write(async (tx) => {
          await addFaults(tx, batch);
          await announceAll(tx, await organizationsOfRouters(tx, routerIds), 'positions');
        });
      }
    } catch (error) {
      log.warn({ err: error, routers: faults.length }, 'Failed to store rejected positions.');
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const faults = [...collected.values()];
    collected = new Map();
    if (faults.length > 0) writing = writing.then(() => write(faults));
    return writing;
  };
  return {
    add(routerId, reason, count, received) {
      const key = `${routerId} ${reason}`;
      const now = clock.now();
      const before = collected.get(key);
      collected.set(key, {
        routerId,
        reason,
        since: before?.since ?? now,
        last: now,
        count: (before?.count ?? 0) + count,
        received: sanitizeLine(received, LONGEST),
      });
      timer ??= setTimeout(() => void flush(), COLLECT_MS);
    },
    flush,
  };
}
