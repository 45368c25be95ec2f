import { expect, test } from 'vitest';
import { lossesOf } from './coverage.ts';

test('DPG-01 the connections that the demo lost do not overlap: each is back before the next is lost', () => {
  const losses = lossesOf([4, 5, 6, 7, 9, 64, 65]);
  expect(losses[0]).toEqual({ from: 260_000, to: 290_000 });
  expect(losses.length).toBeGreaterThan(3);
  for (const [index, { from, to }] of losses.entries()) {
    expect(to).toBeGreaterThan(from);
    expect(from).toBeGreaterThan(losses[index - 1]?.to ?? 0);
  }
});
