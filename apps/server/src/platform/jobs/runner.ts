import type { Clock, Log } from '../ports/index.ts';

/** A scheduled call into a domain. Jobs are idempotent: an interrupted one simply runs again. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(now: Date): Promise<unknown>;
}

/** Runs of one job since the start. */
export interface JobRuns {
  /** Time of the last successful end, seconds since 1970; NaN before it. */
  readonly lastSuccess: number;
  readonly failures: number;
}

/** Jobs that run until they are stopped. */
export interface RunningJobs {
  /** By name. */
  runs(): ReadonlyMap<string, JobRuns>;
  stop(): Promise<void>;
}

/**
 * Run jobs until stopped: each at start and then at its interval, never two runs of one job at once. A failed job is logged and
 * runs again at its next interval.
 */
export function startJobs(jobs: readonly Job[], clock: Clock, log: Log): RunningJobs {
  let stopping = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const runs = new Map<string, JobRuns>(jobs.map(({ name }) => [name, { lastSuccess: Number.NaN, failures: 0 }]));

  const runOnce = async (job: Job): Promise<void> => {
    try {
      await job.run(clock.now());
      runs.set(job.name, { lastSuccess: clock.now().getTime() / 1_000, failures: runs.get(job.name)?.failures ?? 0 });
    } catch (error) {
      const { lastSuccess = Number.NaN, failures = 0 } = runs.get(job.name) ?? {};
      runs.set(job.name, { lastSuccess, failures: failures + 1 });
      log.warn({ err: error, job: job.name }, 'A job failed; it will be retried.');
    }
  };

  const turn = async (job: Job): Promise<void> => {
    const run = runOnce(job);
    running.add(run);
    await run;
    running.delete(run);
    if (stopping) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void turn(job);
    }, job.everyMs);
    timers.add(timer);
  };

  for (const job of jobs) void turn(job);
  return {
    runs: () => runs,
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
