import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { concerns, createGatherer, type LiveTopic } from './live.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('gathering what changed', () => {
  test('the first change after a quiet time is told at once, a storm at most once per interval', () => {
    const told: LiveTopic[][] = [];
    const gatherer = createGatherer(
      (topics) => told.push([...topics]),
      () => false,
      800,
    );
    gatherer.add('devices');
    vi.advanceTimersByTime(0);
    expect(told).toEqual([['devices']]);
    for (let count = 0; count < 1000; count += 1) gatherer.add('devices');
    gatherer.add('groups');
    vi.advanceTimersByTime(799);
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([['devices'], ['devices', 'groups']]);
    vi.advanceTimersByTime(10_000);
    expect(told).toHaveLength(2);
  });

  test('SHR-03-partial nothing is told while paused, and all of it afterwards', () => {
    const told: LiveTopic[][] = [];
    let paused = true;
    const gatherer = createGatherer(
      (topics) => told.push([...topics]),
      () => paused,
      800,
    );
    gatherer.add('devices');
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([]);
    paused = false;
    gatherer.poke();
    vi.advanceTimersByTime(0);
    expect(told).toEqual([['devices']]);
  });
});

describe('what a change concerns', () => {
  test('queries of its topics; a reset concerns all', () => {
    const meta = { topics: ['devices', 'groups'] as const };
    expect(concerns(meta, new Set<LiveTopic>(['groups']))).toBe(true);
    expect(concerns(meta, new Set<LiveTopic>(['inventory']))).toBe(false);
    expect(concerns(undefined, new Set<LiveTopic>(['devices']))).toBe(false);
    expect(concerns(undefined, new Set<LiveTopic>(['reset']))).toBe(true);
  });
});
