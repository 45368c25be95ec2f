import { expect, test } from 'vitest';
import { createCache } from './cache.ts';

function setUp(most?: number) {
  let time = 1_000;
  let computed = 0;
  const cache = createCache<number>({ now: () => new Date(time) }, 2_000, most);
  return {
    cache,
    read: (owner: string, key: string) => cache.get(owner, key, async () => (computed += 1)),
    pass: (milliseconds: number) => (time += milliseconds),
    computed: () => computed,
  };
}

test('a value is computed once while it is fresh, and again after', async () => {
  const { read, pass } = setUp();
  expect([await read('a', 'x'), await read('a', 'x')]).toEqual([1, 1]);
  pass(1_999);
  expect(await read('a', 'x')).toBe(1);
  pass(1);
  expect(await read('a', 'x')).toBe(2);
});

test('concurrent calls share one computation', async () => {
  const { read, computed } = setUp();
  expect(await Promise.all([read('a', 'x'), read('a', 'x'), read('a', 'x')])).toEqual([1, 1, 1]);
  expect(computed()).toBe(1);
});

test('owners and keys are kept apart', async () => {
  const { read } = setUp();
  expect([await read('a', 'x'), await read('a', 'y'), await read('b', 'x')]).toEqual([1, 2, 3]);
});

test("invalidating an owner drops only that owner's values", async () => {
  const { cache, read } = setUp();
  await Promise.all([read('a', 'x'), read('b', 'x')]);
  cache.invalidate('a');
  expect([await read('a', 'x'), await read('b', 'x')]).toEqual([3, 2]);
});

test('a computation that began before a write is not returned after it', async () => {
  const { cache } = setUp();
  let finish: (value: number) => void = () => {};
  const slow = cache.get('a', 'x', () => new Promise<number>((resolve) => (finish = resolve)));
  cache.invalidate('a');
  const fresh = cache.get('a', 'x', async () => 2);
  finish(1);
  expect([await slow, await fresh]).toEqual([1, 2]);
  expect(await cache.get('a', 'x', async () => 3)).toBe(2);
});

test('a failed computation is repeated at the next call', async () => {
  const { cache } = setUp();
  await expect(cache.get('a', 'x', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await cache.get('a', 'x', async () => 7)).toBe(7);
});

test('the least recently used entry is dropped first', async () => {
  const { read } = setUp(2);
  await read('a', 'x');
  await read('a', 'y');
  await read('a', 'x');
  await read('a', 'z');
  expect([await read('a', 'x'), await read('a', 'y')]).toEqual([1, 4]);
});
