import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releaseWhenSlow } from './slot.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function slot() {
  const state = { owesResponse: false, released: 0 };
  const end = releaseWhenSlow({
    slotMs: 15_000,
    owesResponse: () => state.owesResponse,
    release: () => (state.released += 1),
    log: { error: () => {} },
  });
  return { state, end };
}

test('a router that does not answer gives its slot to the next one; one that waits for the database keeps it', () => {
  const { state } = slot();
  vi.advanceTimersByTime(60_000);
  expect(state.released).toBe(0);
  state.owesResponse = true;
  vi.advanceTimersByTime(15_000);
  expect(state.released).toBe(1);
});

test('nothing is released after the end', () => {
  const { state, end } = slot();
  state.owesResponse = true;
  end();
  vi.advanceTimersByTime(60_000);
  expect(state.released).toBe(0);
});
