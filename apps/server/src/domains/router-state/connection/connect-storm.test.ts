import { expect, test } from 'vitest';
import { ConnectStorm } from './connect-storm.ts';

test('routers that come back by the hundred are a storm until they no longer do; a few of many are none', () => {
  const storm = new ConnectStorm();
  for (let n = 0; n < 49; n++) storm.connected(1_000);
  expect(storm.isOn(1_000, 49)).toBe(false);
  for (let n = 0; n < 51; n++) storm.connected(1_000);
  expect(storm.isOn(12_000, 100)).toBe(true);
  expect(storm.isOn(12_000, 6_000)).toBe(false);
  expect(storm.isOn(25_000, 100)).toBe(false);
});
