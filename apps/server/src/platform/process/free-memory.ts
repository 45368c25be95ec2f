import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Job } from '../jobs/runner.ts';
import type { Log } from '../ports/log.ts';

/** What a process does in bursts, such as setting up routers that connect. */
export interface Activity {
  /** Done since the start. */
  readonly done: number;
  readonly underWay: number;
}

/** So much work leaves more free memory behind than the pause is worth. */
const WORTH = 1_000;
const EVERY_MS = 10_000;

/**
 * Give back to the system what V8 keeps after a burst: pages of its young generation and of objects that are gone. An ordinary
 * collection keeps them for the next burst. The process stands still meanwhile. @returns milliseconds
 */
export function releaseFreeMemory(): number {
  const begin = performance.now();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return performance.now() - begin;
}

/** Releases free memory once a burst is over: nothing under way, and nothing done since the run before (decisions/0038). */
export function memoryJob(activity: () => Activity, log: Log, release: () => number = releaseFreeMemory): Job {
  let [released, previous] = [0, 0];
  return {
    name: 'free memory',
    everyMs: EVERY_MS,
    run() {
      const { done, underWay } = activity();
      const isQuiet = underWay === 0 && done === previous;
      previous = done;
      if (isQuiet && done - released >= WORTH) {
        released = done;
        const before = process.memoryUsage.rss();
        const ms = Math.round(release());
        log.info({ ms, before, after: process.memoryUsage.rss() }, 'Free memory was released after many routers connected.');
      }
      return Promise.resolve();
    },
  };
}
