import { describe, expect, it } from 'vitest';
import { DEFAULT_BACKOFF, reconnectDelay } from './backoff.ts';

const lost = { kind: 'lost' } as const;

describe('reconnecting', () => {
  it('the range doubles with every failure and ends at the cap', () => {
    const longest = (failures: number) => reconnectDelay(DEFAULT_BACKOFF, lost, failures, 0.999_999);
    expect([0, 1, 2, 3, 4, 5, 6, 50].map(longest)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('the delay is random over the whole range, and never below the minimum', () => {
    expect(reconnectDelay(DEFAULT_BACKOFF, lost, 9, 0)).toBe(1_000);
    expect(reconnectDelay(DEFAULT_BACKOFF, lost, 9, 0.5)).toBe(30_500);
  });

  it('a fleet that must reconnect spreads over the given time, after the delay that the server requested', () => {
    const delays = [0, 0.25, 0.5, 0.75].map((random) => reconnectDelay(DEFAULT_BACKOFF, { kind: 'server-restart' }, 0, random));
    expect(delays).toEqual([1_000, 4_500, 8_000, 11_500]);
    expect(reconnectDelay(DEFAULT_BACKOFF, { kind: 'server-restart', afterMs: 30_000 }, 0, 0)).toBe(31_000);
  });

  it('a rejected router keeps trying, slowly', () => {
    expect(reconnectDelay(DEFAULT_BACKOFF, { kind: 'rejected' }, 0, 0)).toBe(150_000);
    expect(reconnectDelay(DEFAULT_BACKOFF, { kind: 'rejected' }, 9, 0.999_999)).toBe(300_000);
  });
});
