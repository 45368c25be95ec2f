import { expect, test } from 'vitest';
import { boundsOfPlaces, isInView } from './bounds.ts';

const at = (...longitudes: number[]) => longitudes.map((longitude) => ({ longitude, latitude: 1 }));

test.each([
  ['vehicles around the date line', at(179.9, -179.9), [179.9, 1, 180.1, 1]],
  ['New Zealand and the United States', at(-87.6, 174.8, -122.3), [174.8, 1, 272.4, 1]],
  ['Chicago and Seattle', at(-87.6, -122.3), [-122.3, 1, -87.6, 1]],
  ['one vehicle', at(180), [180, 1, 180, 1]],
  ['a circle that goes beyond the date line', at(179.5, 180.5), [179.5, 1, 180.5, 1]],
])('POS-02-partial POS-05-partial a map of %s shows the smallest part of the earth with all of it', (_name, places, bounds) => {
  expect(boundsOfPlaces(places)).toEqual(bounds);
});

test('POS-02-partial POS-04-partial a place is in view where the map shows what is beyond the date line', () => {
  const seen = { getBounds: () => ({ contains: ([longitude]: [number, number]) => longitude >= 170 && longitude <= 190 }) };
  const isSeen = (longitude: number) => isInView(seen as unknown as Parameters<typeof isInView>[0], { longitude, latitude: 1 });
  expect([175, -175, 0].map(isSeen)).toEqual([true, true, false]);
});
