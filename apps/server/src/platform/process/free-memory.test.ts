import { expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { memoryJob, releaseFreeMemory } from './free-memory.ts';

test('memory is released once after a burst, when nothing is under way any more', async () => {
  let activity = { done: 0, underWay: 0 };
  let releases = 0;
  const job = memoryJob(
    () => activity,
    silentLog,
    () => ++releases,
  );
  const releasesAfter = async (done: number, underWay: number) => {
    activity = { done, underWay };
    await job.run(new Date());
    return releases;
  };
  expect(await releasesAfter(900, 40)).toBe(0);
  expect(await releasesAfter(1_200, 0)).toBe(0);
  expect(await releasesAfter(1_200, 0)).toBe(1);
  expect(await releasesAfter(1_200, 0)).toBe(1);
  expect(await releasesAfter(2_100, 0)).toBe(1);
  expect(await releasesAfter(2_100, 0)).toBe(1);
  expect(await releasesAfter(2_300, 1)).toBe(1);
  expect(await releasesAfter(2_300, 0)).toBe(2);
});

test('released memory is no longer resident', () => {
  // Survives young collections, then dies: the pages stay with V8.
  for (let round = 0; round < 20; round++) Array.from({ length: 200_000 }, (_, index) => ({ index }));
  const before = process.memoryUsage();
  expect(releaseFreeMemory()).toBeGreaterThan(0);
  expect(process.memoryUsage().rss).toBeLessThan(before.rss);
});
