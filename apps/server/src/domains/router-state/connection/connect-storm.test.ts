import { expect, test } from 'vitest';
import { ConnectStorm } from './connect-storm.ts';

test('routers that come back by the hundred are a storm until some time after the last of them; a few of many are none', () => {
  const storm = new ConnectStorm();
  for (let n = 1; n < 50; n++) storm.connected(1_000, n);
  expect(storm.wasWithin(1_000, 60_000)).toBe(false);
  for (let n = 50; n <= 100; n++) storm.connected(12_000, n);
  expect(storm.wasWithin(71_999, 60_000)).toBe(true);
  expect(storm.wasWithin(72_000, 60_000)).toBe(false);

  const large = new ConnectStorm();
  for (let n = 1; n <= 100; n++) large.connected(12_000, 6_000 + n);
  expect(large.wasWithin(12_000, 60_000)).toBe(false);
});
