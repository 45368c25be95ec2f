import { expect, test } from 'vitest';
import { boxAround } from './coverage.ts';

const hexagon = (...longitudes: number[]) => ({ corners: longitudes.map((longitude) => [longitude, 1] as const) });

test('POS-06-partial the first hexagons are those of the smallest part of the earth, also over the date line', () => {
  expect(boxAround([hexagon(179, 179.5), hexagon(-179.5, -179)])).toEqual([178.9, 0.9, -178.9, 1.1]);
  expect(boxAround([hexagon(-88, -87)])).toEqual([-88.1, 0.9, -86.9, 1.1]);
  expect(boxAround([])).toEqual([-180, -90, 180, 90]);
});
