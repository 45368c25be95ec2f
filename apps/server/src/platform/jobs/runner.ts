import type { Clock, Log } from '../ports/index.ts';

/** A scheduled call into a domain. Jobs are idempotent: an interrupted one simply runs again. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(now: Date): Promise<unknown>;
}

/**
 * Run jobs until stopped: each at start and then at its interval, never two runs of one job at once. A failed job is logged and
 * runs again at its next interval.
 */
export function startJobs(jobs: readonly Job[], clock: Clock, log: Log): { stop(): Promise<void> } {
  let stopping = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  const runOnce = async (job: Job): Promise<void> => {
    try {
      await job.run(clock.now());
    } catch (error) {
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
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
