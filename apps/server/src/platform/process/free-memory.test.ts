import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { favorMemory, memoryJob } from './free-memory.ts';

test('memory is released once after a burst, when nothing is under way any more', async () => {
  let activity = { done: 0, underWay: 0 };
  const favored: boolean[] = [];
  const job = memoryJob(
    () => activity,
    silentLog,
    (isOn) => favored.push(isOn),
  );
  const after = async (done: number, underWay: number) => {
    activity = { done, underWay };
    await job.run(new Date());
    return favored.splice(0);
  };
  expect(await after(900, 40)).toEqual([]);
  expect(await after(1_200, 0)).toEqual([]);
  expect(await after(1_200, 0)).toEqual([true]);
  for (let run = 0; run < 3; run++) expect(await after(1_200, 0)).toEqual([]);
  expect(await after(2_100, 0)).toEqual([false]);
  expect(await after(2_100, 0)).toEqual([]);
  expect(await after(2_300, 1)).toEqual([]);
  expect(await after(2_300, 0)).toEqual([true]);
});

test('memory is given back while the process works', async () => {
  setFlagsFromString('--gc-memory-reducer-start-delay-ms=100');
  // Survives young collections, then dies: the pages stay with V8.
  let burst: object[] = Array.from({ length: 1_000_000 }, (_, index) => ({ index, of: [index] }));
  const before = process.memoryUsage.rss();
  expect(burst.length).toBe(1_000_000);
  burst = [];
  // A process with routers allocates all the time.
  const working = setInterval(() => Array.from({ length: 5_000 }, (_, index) => ({ index })), 10);
  favorMemory(true);
  try {
    await expect.poll(() => process.memoryUsage.rss()).toBeLessThan(before - 40 * 1024 * 1024);
  } finally {
    favorMemory(false);
    clearInterval(working);
  }
});
