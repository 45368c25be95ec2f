import { expect, test } from 'vitest';
import { createMovingClock, until } from '../../testing/call.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { startJobs, type Job } from './runner.ts';
import { createSharedJobs } from './shared-jobs.store.ts';

const app = useTestApp();
const clock = createMovingClock();
const EVERY_MS = 600_000;

test('NOD-01-partial of several processes, one looks at the whole fleet at each interval, and what is its own each does', async () => {
  const runs = { shared: 0, own: [0, 0] };
  const shared: Job = { name: 'once', everyMs: EVERY_MS, isShared: true, run: async () => void (runs.shared += 1) };
  const processes = runs.own.map((_, index) => {
    const own: Job = { name: 'own', everyMs: 10, run: async () => void (runs.own[index]! += 1) };
    return startJobs([{ ...shared }, own], clock, silentLog, async () => true, createSharedJobs(app.database));
  });
  await until(async () => runs.shared > 0 && runs.own.every((count) => count > 3));
  await Promise.all(processes.map((each) => each.stop()));
  expect(runs.shared).toBe(1);
  // Before its interval is over, a process that starts leaves it alone; it says when another one succeeded, and does it then.
  const succeeded = await app.owner.query<{ at: number }>(
    `update shared_jobs set due_at = clock_timestamp() + interval '200 ms', succeeded_at = '2030-01-01' where name = 'once'
    returning extract(epoch from succeeded_at)::float8 as at`,
  );
  const later = startJobs([shared], clock, silentLog, async () => true, createSharedJobs(app.database));
  await until(async () => later.runs().get('once')!.lastSuccess === succeeded.rows[0]!.at);
  expect(runs.shared).toBe(1);
  await until(async () => runs.shared === 2);
  await later.stop();
});

test('NOD-05-partial a shared job that fails in one process is run by the next one that comes', async () => {
  const jobs = createSharedJobs(app.database);
  expect(await jobs.claim('failing', EVERY_MS)).toEqual({ isMine: true });
  expect(await jobs.claim('failing', EVERY_MS)).toMatchObject({ isMine: false, succeededAt: 0 });
  await jobs.end('failing', false);
  expect(await jobs.claim('failing', EVERY_MS)).toEqual({ isMine: true });
  await jobs.end('failing', true);
  expect(await jobs.claim('failing', EVERY_MS)).toMatchObject({ isMine: false, succeededAt: expect.any(Number) });
});

test('NOD-05-partial a process that is killed in a shared job holds it up for one interval, and a clock that was set back for none', async () => {
  const jobs = createSharedJobs(app.database);
  await jobs.claim('killed', EVERY_MS);
  await app.owner.query(`update shared_jobs set due_at = due_at - interval '1 hour' where name = 'killed'`);
  expect(await jobs.claim('killed', EVERY_MS)).toEqual({ isMine: true });
  await app.owner.query(`update shared_jobs set due_at = due_at + interval '1 day' where name = 'killed'`);
  expect(await jobs.claim('killed', EVERY_MS)).toEqual({ isMine: true });
});
