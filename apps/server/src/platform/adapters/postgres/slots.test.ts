import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Slots } from './slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that notes when it begins and ends when that is said. */
function startWork(slots: Slots, names: string) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  for (const name of names)
    slots.take((end) => {
      begun.push(name);
      ends.set(name, end);
    });
  return { begun, end: (name: string) => ends.get(name)!() };
}

test('as many run at a time as there are slots, in the order of arrival', () => {
  const { begun, end } = startWork(new Slots(2), 'abcd');
  expect(begun.join('')).toBe('ab');
  end('b');
  expect(begun.join('')).toBe('abc');
  end('b');
  expect(begun.join('')).toBe('abc');
  end('a');
  expect(begun.join('')).toBe('abcd');
});

test('slots that are free again serve what comes later', () => {
  const slots = new Slots(1);
  const first = startWork(slots, 'a');
  first.end('a');
  const { begun } = startWork(slots, 'bc');
  expect(begun.join('')).toBe('b');
});

test('what takes long does not keep others from their slot, and its end frees none', () => {
  const { begun, end } = startWork(new Slots(1), 'abc');
  vi.advanceTimersByTime(249);
  expect(begun.join('')).toBe('a');
  vi.advanceTimersByTime(1);
  expect(begun.join('')).toBe('ab');
  end('a');
  expect(begun.join('')).toBe('ab');
});
