import { expect, test, vi } from 'vitest';
import { createMovingClock } from '../../testing/call.ts';
import type { Log } from '../ports/log.ts';
import { startJobs, type Job } from './runner.ts';

const clock = createMovingClock();

function createWarnings(): Log & { readonly warnings: { fields: object; sentence: string }[] } {
  const warnings: { fields: object; sentence: string }[] = [];
  return { warnings, debug() {}, info() {}, error() {}, warn: (fields, sentence) => warnings.push({ fields, sentence }) };
}

/** A job whose runs the test starts and ends. */
function createBlockedJob(name: string) {
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  const watchers: (() => void)[] = [];
  const state = { begun: 0, atOnce: 0, most: 0 };
  const job: Job = {
    name,
    everyMs: 0,
    async run() {
      state.begun += 1;
      state.atOnce += 1;
      state.most = Math.max(state.most, state.atOnce);
      for (const wake of watchers.splice(0)) wake();
      try {
        await new Promise<void>((resolve, reject) => {
          waiting.push({ resolve, reject });
        });
      } finally {
        state.atOnce -= 1;
      }
    },
  };
  return {
    job,
    state,
    next: () => waiting.shift()!,
    async begun(count: number) {
      while (state.begun < count)
        await new Promise<void>((resolve) => {
          watchers.push(resolve);
        });
    },
  };
}

/** Let everything that is ready run. */
const breathe = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('a job runs at start, again after its interval, and never twice at once', async () => {
  const blocked = createBlockedJob('held');
  const other = createBlockedJob('other');
  const jobs = startJobs([blocked.job, other.job], clock, createWarnings());
  await blocked.begun(1);
  // The other job's runs show that the interval has passed several times.
  for (let turn = 1; turn <= 3; turn += 1) {
    await other.begun(turn);
    other.next().resolve();
  }
  await other.begun(4);
  expect(blocked.state.begun).toBe(1);
  blocked.next().resolve();
  await blocked.begun(2);
  blocked.next().resolve();
  await blocked.begun(3);
  expect(blocked.state.most).toBe(1);
  const stopped = jobs.stop();
  blocked.next().resolve();
  other.next().resolve();
  await stopped;
});

test('a job that fails, or throws before it begins, is logged and runs again, and delays no other', async () => {
  const log = createWarnings();
  const blocked = createBlockedJob('failing');
  const other = createBlockedJob('other');
  const thrower: Job = {
    name: 'thrower',
    everyMs: 60_000,
    run() {
      throw new Error('at once');
    },
  };
  const jobs = startJobs([thrower, blocked.job, other.job], clock, log);
  await blocked.begun(1);
  blocked.next().reject(new Error('out of luck'));
  await blocked.begun(2);
  await other.begun(1);
  expect(log.warnings.map(({ fields }) => (fields as { job: string }).job)).toEqual(['thrower', 'failing']);
  const stopped = jobs.stop();
  blocked.next().resolve();
  other.next().resolve();
  await stopped;
});

test('failures of one kind that follow each other are one line, and their end another', async () => {
  const lines: string[] = [];
  const keep = (fields: object, sentence: string) =>
    void lines.push(`${sentence} ${(fields as { failures?: number }).failures ?? ''}`);
  const blocked = createBlockedJob('failing');
  const jobs = startJobs([blocked.job], clock, { debug() {}, info: keep, warn: keep, error: keep });
  for (const [turn, reason] of ['no luck', 'no luck', 'no luck', 'other'].entries()) {
    await blocked.begun(turn + 1);
    blocked.next().reject(new Error(reason));
  }
  await blocked.begun(5);
  blocked.next().resolve();
  await blocked.begun(6);
  const failed = 'A job failed; it is repeated at its interval until it works. ';
  expect(lines).toEqual([failed, failed, 'A job works again. 4']);
  const stopped = jobs.stop();
  blocked.next().resolve();
  await stopped;
});

test('stopping waits for the running job and starts no other', async () => {
  const blocked = createBlockedJob('held');
  const jobs = startJobs([blocked.job], clock, createWarnings());
  await blocked.begun(1);
  let isStopped = false;
  const stopped = jobs.stop().finally(() => {
    isStopped = true;
  });
  await breathe();
  expect(isStopped).toBe(false);
  blocked.next().resolve();
  await stopped;
  await breathe();
  expect([blocked.state.begun, blocked.state.atOnce]).toEqual([1, 0]);
});

test('a run gets the time of the clock', async () => {
  const seen: Date[] = [];
  const moving = createMovingClock(new Date('2031-05-06T07:08:09Z'));
  const job: Job = { name: 'clock', everyMs: 60_000, run: async (now) => seen.push(now) };
  await startJobs([job], moving, createWarnings()).stop();
  expect(seen).toEqual([new Date('2031-05-06T07:08:09Z')]);
});

test('a run that goes on after a stop is not waited for, and its end by the closed connections is not logged', async () => {
  vi.useFakeTimers();
  try {
    const log = createWarnings();
    const blocked = createBlockedJob('long');
    const stopped = startJobs([blocked.job], clock, log).stop();
    await vi.advanceTimersByTimeAsync(5_000);
    await stopped;
    blocked.next().reject(new Error('Connection terminated'));
    await vi.advanceTimersByTimeAsync(0);
    expect(log.warnings).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('a job of the hour begins a minute after the start, when routers have connected again, and not after a stop', async () => {
  vi.useFakeTimers();
  try {
    const runs: string[] = [];
    const jobOf = (name: string, everyMs: number): Job => ({ name, everyMs, run: async () => runs.push(name) });
    const jobs = startJobs([jobOf('retention', 3_600_000), jobOf('mail', 2_000_000)], clock, createWarnings());
    await vi.advanceTimersByTimeAsync(59_000);
    expect(runs).toEqual(['mail']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toEqual(['mail', 'retention']);
    await jobs.stop();
    const others = startJobs([jobOf('later', 3_600_000)], clock, createWarnings());
    await others.stop();
    await vi.advanceTimersByTimeAsync(4_000_000);
    expect(runs).toEqual(['mail', 'retention']);
  } finally {
    vi.useRealTimers();
  }
});
