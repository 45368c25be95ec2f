import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { QueryClient } from '@tanstack/react-query';
import { concerns, createBatcher, startLive, type LiveTopic } from './live.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
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

describe('the first stream of a page', () => {
  /** @returns how often lists are refetched when the stream opens this late */
  function refetchesAfter(milliseconds: number): number {
    const source = new EventTarget();
    const listeners = { addEventListener: () => {}, removeEventListener: () => {} };
    vi.stubGlobal('document', { visibilityState: 'visible', ...listeners });
    vi.stubGlobal('EventSource', function EventSource() {
      return Object.assign(source, { close: () => {} });
    });
    const invalidateQueries = vi.fn<() => Promise<void>>(async () => {});
    const stop = startLive({ client: { invalidateQueries } as unknown as QueryClient, onEnded: () => {} });
    vi.advanceTimersByTime(milliseconds);
    source.dispatchEvent(new Event('open'));
    vi.advanceTimersByTime(1);
    stop();
    return invalidateQueries.mock.calls.length;
  }

  test('that opens at once needs no lists again; what changed before one that opens late is fetched', () => {
    expect([refetchesAfter(300), refetchesAfter(3_000)]).toEqual([0, 1]);
  });
});
