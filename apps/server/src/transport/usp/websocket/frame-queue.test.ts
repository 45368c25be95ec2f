import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../testing/log.ts';
import { FrameQueue } from './frame-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('frames of several routers are processed together, in their order', () => {
  const queue = new FrameQueue(silentLog);
  const received: string[] = [];
  const sourceOf = (router: string) => ({ processFrame: (frame: Buffer) => void received.push(`${router} ${frame[0]}`) });
  const [first, second] = [sourceOf('a'), sourceOf('b')];
  queue.add(first, Buffer.of(1));
  queue.add(second, Buffer.of(2));
  queue.add(first, Buffer.of(3));
  expect(received).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual(['a 1', 'b 2', 'a 3']);
});

test('what is large, or drained, does not wait; frames that come meanwhile wait for the next time', () => {
  const queue = new FrameQueue(silentLog);
  const received: number[] = [];
  const source = {
    processFrame(frame: Buffer) {
      if (frame[0] === 1) queue.add(source, Buffer.of(2));
      received.push(frame[0]!);
    },
  };
  queue.add(source, Buffer.of(1));
  queue.drain();
  expect(received).toEqual([1]);
  queue.add(source, Buffer.alloc(1024 * 1024, 3));
  expect(received).toEqual([1, 2, 3]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual([1, 2, 3]);
});
