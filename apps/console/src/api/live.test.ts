import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { concerns, createBatcher, type LiveTopic } from './live.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('collecting changes', () => {
  test('the first change after a quiet time is delivered immediately, a storm at most once per interval', () => {
    const flushed: LiveTopic[][] = [];
    const batcher = createBatcher(
      (topics) => flushed.push([...topics]),
      () => false,
      800,
    );
    batcher.add('devices');
    vi.advanceTimersByTime(0);
    expect(flushed).toEqual([['devices']]);
    for (let count = 0; count < 1000; count += 1) batcher.add('devices');
    batcher.add('groups');
    vi.advanceTimersByTime(799);
    expect(flushed).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(flushed).toEqual([['devices'], ['devices', 'groups']]);
    vi.advanceTimersByTime(10_000);
    expect(flushed).toHaveLength(2);
  });

  test('SHR-03-partial nothing is delivered while paused, and everything afterwards', () => {
    const flushed: LiveTopic[][] = [];
    let paused = true;
    const batcher = createBatcher(
      (topics) => flushed.push([...topics]),
      () => paused,
      800,
    );
    batcher.add('devices');
    vi.advanceTimersByTime(5000);
    expect(flushed).toEqual([]);
    paused = false;
    batcher.poke();
    vi.advanceTimersByTime(0);
    expect(flushed).toEqual([['devices']]);
  });
});

describe('what a change affects', () => {
  test('queries of its topics; a reset concerns all', () => {
    const meta = { topics: ['devices', 'groups'] as const };
    expect(concerns(meta, new Set<LiveTopic>(['groups']))).toBe(true);
    expect(concerns(meta, new Set<LiveTopic>(['inventory']))).toBe(false);
    expect(concerns(undefined, new Set<LiveTopic>(['devices']))).toBe(false);
    expect(concerns(undefined, new Set<LiveTopic>(['reset']))).toBe(true);
  });
});
