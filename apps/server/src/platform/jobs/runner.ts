import type { Clock, Log } from '../ports/index.ts';
import type { SharedJobs } from './shared-jobs.store.ts';

/** A scheduled call into a domain. Jobs are idempotent: an interrupted one simply runs again. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** It deletes what is old by the time of a run, as every rare one may: it does not run while the clock is wrong. */
  readonly deletes?: boolean;
  /** It looks at the whole fleet, so one process does it for all at each interval (docs/decisions/0214-one-process-for-all.md). */
  readonly isShared?: boolean;
  run(now: Date): Promise<unknown>;
}

/** Runs of one job since the start. */
export interface JobRuns {
  /** Time of the last successful end, of a shared job in any process, or of the start before it, seconds since 1970: a rule finds also what never succeeded. */
  readonly lastSuccess: number;
  readonly failures: number;
  readonly everySeconds: number;
}

/** Jobs that run until they are stopped. */
export interface RunningJobs {
  /** By name. */
  runs(): ReadonlyMap<string, JobRuns>;
  stop(): Promise<void>;
}

/** A run that takes longer after a stop is not waited for: its queries end with the connections, and it is idempotent. */
const MOST_STOP_MS = 5_000;

/** Jobs with such an interval or a longer one delete what is old, or replace passwords after days: a minute more does not matter. */
const RARE_MS = 3_600_000;
/** They begin so long after the start, when routers have connected again. */
const RARE_AFTER_MS = 60_000;

/**
 * Run jobs until stopped: each at start (a rare one a minute later) and then at its interval, never two runs of one job at once. A failed
 * job runs again at its next interval; it is logged once for all failures of one kind that follow each other.
 * @param hasRightClock read before each run of a job that deletes; it waits for its next interval while the clock is wrong
 * @param sharedJobs left out where there are no other processes
 */
export function startJobs(
  jobs: readonly Job[],
  clock: Clock,
  log: Log,
  hasRightClock: () => Promise<boolean> = async () => true,
  sharedJobs?: SharedJobs,
): RunningJobs {
  let stopping = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<number>>();
  const start = clock.now().getTime() / 1_000;
  const runs = new Map<string, JobRuns>(
    jobs.map(({ name, everyMs }) => [name, { lastSuccess: start, failures: 0, everySeconds: everyMs / 1_000 }]),
  );

  /** Jobs whose last run failed, and with what. */
  const failing = new Map<string, { readonly tries: number; readonly message: string }>();
  const note = (job: Job, change: Partial<JobRuns>) => void runs.set(job.name, { ...runs.get(job.name)!, ...change });

  /** @returns milliseconds until its next turn */
  const runOnce = async (job: Job): Promise<number> => {
    try {
      if ((job.deletes ?? job.everyMs >= RARE_MS) && !(await hasRightClock())) return job.everyMs;
      const claim = job.isShared === true ? await sharedJobs?.claim(job.name, job.everyMs) : undefined;
      if (claim?.isMine === false) {
        note(job, { lastSuccess: Math.max(runs.get(job.name)!.lastSuccess, claim.succeededAt) });
        return claim.dueInMs;
      }
      await (claim === undefined ? job.run(clock.now()) : runClaimed(job, sharedJobs!));
      note(job, { lastSuccess: clock.now().getTime() / 1_000 });
      const { tries = 0 } = failing.get(job.name) ?? {};
      if (tries > 1) log.info({ job: job.name, failures: tries }, 'A job works again.');
      failing.delete(job.name);
    } catch (error) {
      if (stopping) return job.everyMs;
      note(job, { failures: (runs.get(job.name)?.failures ?? 0) + 1 });
      const { tries = 0, message: former } = failing.get(job.name) ?? {};
      const message = String(error);
      failing.set(job.name, { tries: tries + 1, message });
      if (message !== former)
        log.warn({ err: error, job: job.name }, 'A job failed; it is repeated at its interval until it works.');
    }
    return job.everyMs;
  };

  const runClaimed = async (job: Job, { end }: SharedJobs): Promise<void> => {
    try {
      await job.run(clock.now());
    } catch (error) {
      // What failed it says more than that the database is gone.
      await end(job.name, false).catch(() => {});
      throw error;
    }
    await end(job.name, true);
  };

  const turn = async (job: Job): Promise<void> => {
    const run = runOnce(job);
    running.add(run);
    const nextMs = await run;
    running.delete(run);
    if (!stopping) turnAfter(nextMs, job);
  };

  const turnAfter = (ms: number, job: Job): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void turn(job);
    }, ms);
    timers.add(timer);
  };

  for (const job of jobs) {
    if (job.everyMs >= RARE_MS) turnAfter(RARE_AFTER_MS, job);
    else void turn(job);
  }
  return {
    runs: () => runs,
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, MOST_STOP_MS);
      });
      await Promise.race([Promise.all(running), limit]);
      clearTimeout(timer);
    },
  };
}
