import { expect, test } from 'vitest';
import { Slices } from './slices.ts';

test('POS-05-partial long computation lets others have their turn when a slice is over, and not before', async () => {
  let others = 0;
  const count = () => {
    others += 1;
  };
  setImmediate(count);
  await new Slices(Infinity).pause();
  expect(others).toBe(0);
  await new Slices(0).pause();
  expect(others).toBe(1);
});
