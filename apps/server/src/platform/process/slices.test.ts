import { expect, test } from 'vitest';
import { Slices } from './slices.ts';

test('POS-05-partial long computation lets others have their turn when a slice is over, and not before', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
  };
  setImmediate(count);
  await new Slices(Infinity).pause();
  expect(turns).toBe(0);
  await new Slices(0).pause();
  expect(turns).toBe(1);
});
