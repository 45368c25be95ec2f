import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameQueue } from './frame-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('frames of several routers are processed together, in their order', () => {
  const queue = new FrameQueue();
  const received: string[] = [];
  const handleOf = (router: string) => (frame: Buffer) => received.push(`${router} ${frame[0]}`);
  const [first, second] = [handleOf('a'), handleOf('b')];
  queue.add(first, Buffer.of(1));
  queue.add(second, Buffer.of(2));
  queue.add(first, Buffer.of(3));
  expect(received).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual(['a 1', 'b 2', 'a 3']);
});

test('what is large, or drained, does not wait; frames that come meanwhile wait for the next time', () => {
  const queue = new FrameQueue();
  const received: number[] = [];
  const handle = (frame: Buffer) => {
    if (frame[0] === 1) queue.add(handle, Buffer.of(2));
    received.push(frame[0]!);
  };
  queue.add(handle, Buffer.of(1));
  queue.drain();
  expect(received).toEqual([1]);
  queue.add(handle, Buffer.alloc(1024 * 1024, 3));
  expect(received).toEqual([1, 2, 3]);
  vi.advanceTimersByTime(100);
  expect(received).toEqual([1, 2, 3]);
});
