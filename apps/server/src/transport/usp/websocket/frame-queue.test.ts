import { setImmediate as nextRound } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../testing/log.ts';
import { FrameQueue } from './frame-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('frames of several routers are processed together, in their order', () => {
  const queue = new FrameQueue(silentLog);
  const received: string[] = [];
  const sourceOf = (router: string) => ({ processFrame: (frame: Buffer) => void received.push(`${router} ${frame[0]}`) });
  const [first, second] = [sourceOf('a'), sourceOf('b')];
  queue.add(first, Buffer.of(1), false);
  queue.add(second, Buffer.of(2), false);
  queue.add(first, Buffer.of(3), false);
  expect(received).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual(['a 1', 'b 2', 'a 3']);
});

test('what is large, urgent, or of a source that ended does not wait', () => {
  const queue = new FrameQueue(silentLog);
  const received: number[] = [];
  const source = { processFrame: (frame: Buffer) => void received.push(frame[0]!) };
  queue.add(source, Buffer.of(1), false);
  queue.add(source, Buffer.of(2), true);
  expect(received).toEqual([1, 2]);
  queue.add(source, Buffer.alloc(1024 * 1024, 3), false);
  expect(received).toEqual([1, 2, 3]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual([1, 2, 3]);

  const other = { processFrame: () => void received.push(0) };
  queue.add(other, Buffer.of(0), false);
  queue.add(source, Buffer.of(4), false);
  queue.finish(source);
  expect(received).toEqual([1, 2, 3, 4]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual([1, 2, 3, 4, 0]);
});

test('a crowd leaves time for everything else: frames are processed slice by slice, in their order, and all of them', async () => {
  vi.useRealTimers();
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const queue = new FrameQueue(silentLog);
  const received: number[] = [];
  const sources = [0, 1].map(() => ({
    processFrame(frame: Buffer) {
      clock += 1;
      // What it begins takes longer than itself.
      void Promise.resolve().then(() => (clock += 2));
      received.push(frame[0]!);
    },
  }));
  const frames = Array.from({ length: 40 }, (_, n) => Buffer.of(n));
  for (const frame of frames) queue.add(sources[frame[0]! % 2]!, frame, true);
  const rounds = [received.length];
  for (; received.length < 40; rounds.push(received.length)) await nextRound();
  // The first ten began 20 ms of work, so the next slice is as long; one frame takes 3 ms.
  expect(Math.max(...rounds.slice(1).map((count, index) => count - rounds[index]!))).toBeLessThanOrEqual(7);
  expect(received).toEqual(frames.map((frame) => frame[0]));

  for (const frame of frames) queue.add(sources[frame[0]! % 2]!, frame, true);
  queue.finish(sources[1]!);
  expect(received.slice(40).filter((n) => n % 2 === 1)).toHaveLength(20);
  while (received.length < 80) await nextRound();
  expect(received.slice(40).filter((n) => n % 2 === 0)).toEqual(frames.map((frame) => frame[0]!).filter((n) => n % 2 === 0));
});

test('no more than 16 MB wait: above it the oldest are processed at once, and all of them in their order', async () => {
  vi.useRealTimers();
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const queue = new FrameQueue(silentLog);
  const received: number[] = [];
  const source = {
    processFrame(frame: Buffer) {
      clock += 20;
      received.push(frame[0]!);
    },
  };
  for (let n = 0; n < 20; n++) queue.add(source, Buffer.alloc(1024 * 1024, n), true);
  expect(received).toEqual([0, 1, 2, 3, 4]);
  while (received.length < 20) await nextRound();
  expect(received).toEqual(Array.from({ length: 20 }, (_, n) => n));
});
