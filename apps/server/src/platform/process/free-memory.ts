import { setFlagsFromString } from 'node:v8';
import type { Job } from '../jobs/runner.ts';
import type { Log } from '../ports/log.ts';

/** What a process does in bursts, such as setting up routers that connect. */
export interface Activity {
  /** Done since the start. */
  readonly done: number;
  readonly underWay: number;
}

/** So much work leaves more free memory behind than collecting it is worth. */
const WORTH = 1_000;
const EVERY_MS = 10_000;
/** Runs until V8 has done it: its memory reducer looks every 8 seconds, and collects twice. */
const RUNS = 4;

/**
 * Let V8's memory reducer work although the process allocates: it marks in small steps and in other threads, and gives back to the system what V8
 * keeps after a burst, pages of its young generation and of objects that are gone. An ordinary collection keeps them for the next burst.
 */
export function favorMemory(isOn: boolean): void {
  setFlagsFromString(isOn ? '--optimize-for-size' : '--no-optimize-for-size');
}

/** Releases free memory once a burst is over: nothing under way, and nothing done since the run before (docs/domains/router-state.md). */
export function memoryJob(activity: () => Activity, log: Log, favor: (isOn: boolean) => void = favorMemory): Job {
  let [released, previous, runs, before] = [0, 0, 0, 0];
  return {
    name: 'free memory',
    everyMs: EVERY_MS,
    run() {
      const { done, underWay } = activity();
      const isQuiet = underWay === 0 && done === previous;
      previous = done;
      if (runs > 0) {
        runs -= 1;
        if (runs === 0) {
          favor(false);
          log.info({ before, after: process.memoryUsage.rss() }, 'Free memory was released after many routers connected.');
        }
      } else if (isQuiet && done - released >= WORTH) {
        [released, runs, before] = [done, RUNS, process.memoryUsage.rss()];
        favor(true);
      }
      return Promise.resolve();
    },
  };
}
