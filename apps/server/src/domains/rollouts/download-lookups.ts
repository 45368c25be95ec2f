import type { Clock } from '../../platform/ports/clock.ts';
import type { OpenDownload } from './downloads.store.ts';

/** Steps of one statement. */
const MOST_STEPS = 500;

interface Request {
  readonly stepKey: string;
  resolve(download: OpenDownload | undefined): void;
  reject(error: unknown): void;
}

export interface DownloadLookups {
  /** The download of a step that is under way; undefined = there is none now. Rejects when the database does not answer. */
  find(stepKey: string): Promise<OpenDownload | undefined>;
}

/**
 * Looks downloads up for many routers at once: requests that come while a statement runs share the next one. A small file is requested
 * by thousands of routers within seconds, and planning the statement costs more than running it. The response is never older than the
 * request: a statement begins after the requests it serves.
 */
export function createDownloadLookups(
  findMany: (stepKeys: readonly string[], now: Date) => Promise<ReadonlyMap<string, OpenDownload>>,
  clock: Clock,
): DownloadLookups {
  const waiting: Request[] = [];
  let isRunning = false;

  const run = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const taken = waiting.splice(0, MOST_STEPS);
      try {
        const stepKeys = taken.map(({ stepKey }) => stepKey);
        const found = await findMany(stepKeys, clock.now());
        for (const { stepKey, resolve } of taken) resolve(found.get(stepKey));
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    isRunning = false;
  };

  return {
    find: (stepKey) =>
      new Promise((resolve, reject) => {
        waiting.push({ stepKey, resolve, reject });
        if (!isRunning) void run();
      }),
  };
}
