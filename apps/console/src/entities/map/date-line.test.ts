import type { Feature, Polygon } from 'geojson';
import { expect, test } from 'vitest';
import { acrossDateLine } from './date-line.ts';

const outline = (...coordinates: number[][]): Feature<Polygon> => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates: [coordinates] },
});

test('POS-03-partial an outline that crosses the date line goes on beyond it, others stay, and one around a pole is left out', () => {
  const crossing = outline([179, 1], [-179, 1], [-179, 2], [179, 2], [179, 1]);
  const usual = outline([1, 1], [2, 1], [2, 2], [1, 1]);
  const pole = outline([-170, -80], [0, -80], [170, -80], [-170, -80]);
  const found = acrossDateLine([crossing, usual, pole]) as Feature<Polygon>[];
  expect(found.map(({ geometry }) => geometry.coordinates[0])).toEqual([
    [[179, 1], [181, 1], [181, 2], [179, 2], [179, 1]],
    [[1, 1], [2, 1], [2, 2], [1, 1]],
  ]); // prettier-ignore
});
