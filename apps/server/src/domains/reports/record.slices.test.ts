import { expect, test } from 'vitest';
import { slicesOf } from './record.slices.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
const minutes = (slices: Iterable<{ readonly from: Date; readonly until: Date }>) =>
  Array.from(slices, ({ from, until }) => [from, until].map((moment) => (moment.getTime() - at(0).getTime()) / 60_000));

test.each([
  [
    'that ends before now',
    50,
    [
      [40, 50],
      [0, 40],
    ],
  ],
  [
    'that ends after now, whose rest belongs to its newest slice',
    59,
    [
      [45, 59],
      [0, 45],
    ],
  ],
])('slices cover a time range %s without a gap or an overlap', (_, until, expected) => {
  expect(minutes(slicesOf({ from: at(0), until: at(until) }, at(55), 600_000, true))).toEqual(expected);
});

test('a time range in the future is cut like any other', () => {
  expect(minutes(slicesOf({ from: at(10), until: at(30) }, at(5), 600_000, false))).toEqual([
    [20, 30],
    [10, 20],
  ]);
});
