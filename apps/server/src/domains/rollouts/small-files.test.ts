import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSmallFiles } from './small-files.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CONTENTS = Buffer.from('line');

test('GRP-10-partial a small file is read once for downloads at the same time, and again after ten seconds', async () => {
  const files = createSmallFiles();
  const read = vi.fn(async () => CONTENTS);
  const file = { key: 'a', size: 4, read };
  expect(await Promise.all([files.open(file), files.open(file)])).toEqual([CONTENTS, CONTENTS]);
  await files.open({ ...file, key: 'b' });
  expect(read).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  await files.open(file);
  expect(read).toHaveBeenCalledTimes(3);
});

test('GRP-10-partial a large file, and one that could not be read, are read for each download', async () => {
  const files = createSmallFiles();
  const large = vi.fn(async () => CONTENTS);
  await files.open({ key: 'a', size: 65_537, read: large });
  await files.open({ key: 'a', size: 65_537, read: large });
  expect(large).toHaveBeenCalledTimes(2);
  const failing = vi.fn(async () => Promise.reject<Buffer>(new Error('It cannot be decrypted.')));
  await expect(files.open({ key: 'b', size: 4, read: failing })).rejects.toThrow('decrypted');
  expect(await files.open({ key: 'b', size: 4, read: large })).toBe(CONTENTS);
});
