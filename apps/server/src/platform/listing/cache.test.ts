import { expect, test } from 'vitest';
import { createCache, type CacheOptions } from './cache.ts';

function setUp(options?: CacheOptions) {
  let time = 1_000;
  let computed = 0;
  const cache = createCache<number>({ now: () => new Date(time) }, 2_000, options);
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

test('after a write by others a cheap value is computed again, an expensive one when ten times as long has passed', async () => {
  const { cache, pass, read } = setUp();
  const slow = (value: number) => cache.get('a', 'slow', async () => (pass(100), value));
  expect([await read('a', 'x'), await slow(50), await read('b', 'x')]).toEqual([1, 50, 2]);
  cache.changed('a');
  expect([await read('a', 'x'), await slow(51), await read('b', 'x')]).toEqual([3, 50, 2]);
  pass(899);
  cache.changed('a');
  expect(await slow(52)).toBe(50);
  pass(1);
  expect(await slow(53)).toBe(53);
});

test('of computations that run while others write, a cheap one is not shared with later calls, an expensive one is', async () => {
  const { cache, pass } = setUp();
  const begin = (key: string) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    return { value: cache.get('a', key, () => promise), resolve };
  };
  const expensive = begin('expensive');
  pass(500);
  const cheap = begin('cheap');
  cache.changed('a');
  const later = [cache.get('a', 'expensive', async () => 2), cache.get('a', 'cheap', async () => 2)];
  expensive.resolve(1);
  cheap.resolve(1);
  expect(await Promise.all([expensive.value, cheap.value, ...later])).toEqual([1, 1, 1, 2]);
  expect(await cache.get('a', 'expensive', async () => 3)).toBe(1);
  pass(1_500);
  expect(await cache.get('a', 'expensive', async () => 3)).toBe(3);
});

test('a cache that waits returns nothing from before a change, and computes once for all who wait', async () => {
  const { cache, pass } = setUp({ waits: true });
  const slow = (value: number) => cache.get('a', 'x', async () => (pass(100), value));
  expect(await slow(1)).toBe(1);
  cache.changed('a');
  const waiting = [slow(2), slow(3)];
  pass(900);
  cache.changed('a');
  expect(await Promise.all([...waiting, slow(4)])).toEqual([2, 2, 2]);
});

test('a cache that waits follows a computation that began before the change by another', async () => {
  const { cache, pass } = setUp({ waits: true });
  const { promise, resolve } = Promise.withResolvers<number>();
  const before = cache.get('a', 'x', () => promise);
  pass(150);
  cache.changed('a');
  const after = cache.get('a', 'x', async () => 2);
  pass(1_400);
  resolve(1);
  expect(await Promise.all([before, after])).toEqual([1, 2]);
});

test('a failed computation is repeated at the next call', async () => {
  const { cache } = setUp();
  await expect(cache.get('a', 'x', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await cache.get('a', 'x', async () => 7)).toBe(7);
});

test('the least recently used entry is dropped first', async () => {
  const { read } = setUp({ most: 2 });
  await read('a', 'x');
  await read('a', 'y');
  await read('a', 'x');
  await read('a', 'z');
  expect([await read('a', 'x'), await read('a', 'y')]).toEqual([1, 4]);
});
