import { expect, test } from 'vitest';
import { shareOf } from './online-chart.ts';

test('ATT-02-partial the share of devices online; without devices it is zero', () => {
  expect(shareOf({ at: 0, online: 3, devices: 4 })).toBe(0.75);
  expect(shareOf({ at: 0, online: 0, devices: 0 })).toBe(0);
});
