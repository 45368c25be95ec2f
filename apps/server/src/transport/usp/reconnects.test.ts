import { expect, test } from 'vitest';
import { Reconnects } from './reconnects.ts';

const HOUR = 3_600_000;

test('a router that connects ten times within an hour is said once, and counted for an hour more', () => {
  const reconnects = new Reconnects();
  const said = Array.from({ length: 30 }, (_, n) => reconnects.connected('flapping', n * 60_000));
  reconnects.connected('steady', 1);
  expect(said.filter((count) => count !== undefined)).toEqual([10]);
  expect(reconnects.flapping(HOUR - 1)).toBe(1);
  expect(reconnects.flapping(2 * HOUR - 1)).toBe(1);
  expect(reconnects.flapping(2 * HOUR)).toBe(0);
});

test('when thousands go on and off at once all are counted, and twenty are named', () => {
  const reconnects = new Reconnects();
  let said = 0;
  for (let router = 0; router < 1_000; router++)
    for (let n = 0; n < 12; n++) if (reconnects.connected(`${router}`, 1) !== undefined) said += 1;
  expect([said, reconnects.flapping(1)]).toEqual([20, 1_000]);
});
