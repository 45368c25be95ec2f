import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CORNERS, partsOf, shapeFault, type Corner } from './geofence-shape.ts';
import { readGeoJson } from '../geojson.ts';

const square: Corner[] = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]; // prettier-ignore
const polygon = (...rings: Corner[][]) => shapeFault({ kind: 'polygon', rings });
const circle = (latitude: number, longitude: number, radius: number) =>
  shapeFault({ kind: 'circle', latitude, longitude, radius });
/** A ring with many corners. */
const round = (corners: number): Corner[] => {
  const ring = Array.from({ length: corners - 1 }, (_, index): Corner => {
    const angle = (index / (corners - 1)) * 2 * Math.PI;
    return [Math.cos(angle), Math.sin(angle)];
  });
  return [...ring, ring[0]!];
};

describe('POS-05-partial the shape of a geofence', () => {
  test('is a polygon, also with holes and with a corner that is written twice', () => {
    expect(polygon(square)).toBeUndefined();
    expect(polygon(square, [[0.2, 0.2], [0.4, 0.2], [0.4, 0.4], [0.2, 0.2]])).toBeUndefined(); // prettier-ignore
    expect(polygon([[0, 0], [1, 0], [1, 0], [1, 1], [0, 0]])).toBeUndefined(); // prettier-ignore
    expect(polygon(round(MAX_CORNERS))).toBeUndefined();
  });

  test('does not cross itself, nor a hole the edge', () => {
    expect(polygon([[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]])).toBe('crosses_itself'); // prettier-ignore
    expect(polygon(square, [[0.5, 0.5], [1.5, 0.5], [0.5, 0.8], [0.5, 0.5]])).toBe('crosses_itself'); // prettier-ignore
    // A corner that touches another edge.
    expect(polygon([[0, 0], [2, 0], [2, 2], [1, 0], [0, 2], [0, 0]])).toBe('crosses_itself'); // prettier-ignore
  });

  test('crosses itself exactly when two of its edges meet', () => {
    /** On which side of a line a corner is. */
    const side = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner) =>
      Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
    const same = (a: Corner, b: Corner) => String(a) === String(b);
    const touches = (a: Corner, b: Corner, c: Corner) =>
      side(a, b, c) === 0 &&
      !same(a, c) &&
      !same(b, c) &&
      [0, 1].every((axis) => Math.min(a[axis]!, b[axis]!) <= c[axis]! && c[axis]! <= Math.max(a[axis]!, b[axis]!));
    const meet = ([a, b]: Corner[], [c, d]: Corner[]) =>
      (side(a!, b!, c!) * side(a!, b!, d!) < 0 && side(c!, d!, a!) * side(c!, d!, b!) < 0) ||
      [c!, d!].some((corner) => touches(a!, b!, corner)) ||
      [a!, b!].some((corner) => touches(c!, d!, corner));
    const corner = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(fc.uniqueArray(corner, { minLength: 3, maxLength: 9, selector: String }), (corners) => {
        const ring: Corner[] = [...corners, corners[0]!];
        const edges = corners.map((_, index) => ring.slice(index, index + 2));
        const crosses = edges.some((edge, index) => edges.slice(0, index).some((other) => meet(edge, other)));
        expect(polygon(ring)).toBe(crosses ? 'crosses_itself' : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is closed, on the earth, not over the date line, and has three to 1,000 corners', () => {
    expect(polygon(square.slice(0, 4))).toBe('open');
    expect(polygon([[0, 0], [1, 0], [0, 0]])).toBe('corners'); // prettier-ignore
    expect(polygon()).toBe('corners');
    expect(polygon([[0, 0], [1, 0], [1, 91], [0, 0]])).toBe('outside'); // prettier-ignore
    expect(polygon([[0, 0], [Number.NaN, 0], [1, 1], [0, 0]])).toBe('outside'); // prettier-ignore
    expect(polygon([[179, 0], [-179, 0], [-179, 1], [179, 1], [179, 0]])).toBe('date_line'); // prettier-ignore
    expect(polygon(round(100_000))).toBe('too_many_corners');
  });

  test('or a circle of 10 m to 100 km', () => {
    expect(circle(41.88, -87.63, 200)).toBeUndefined();
    expect(circle(91, 0, 200)).toBe('outside');
    for (const radius of [9, 100_001, -1, Number.NaN, Infinity]) expect(circle(0, 0, radius)).toBe('radius');
  });
});

describe('POS-05-partial GeoJSON', () => {
  const read = (value: unknown) => readGeoJson(JSON.stringify(value));
  const area = { type: 'Polygon', coordinates: [square] };

  test('has Polygons and Points with a radius, alone, as a Feature or in a collection', () => {
    const point = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-87.63, 41.88, 180] },
      properties: { name: ' Depot\n1 ', radius: 150 },
    };
    expect(read({ type: 'FeatureCollection', features: [point, { type: 'Feature', geometry: area, properties: null }] })).toEqual(
      [
        { feature: 1, name: 'Depot 1', shape: { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 150 } },
        { feature: 2, name: '', shape: { kind: 'polygon', rings: [square] } },
      ],
    );
    expect(read(area)).toHaveLength(1);
    expect(read(point)).toHaveLength(1);
    expect(read({ type: 'FeatureCollection', features: [] })).toEqual([]);
  });

  test('has names as a form takes them, and numbers; one that cannot be stored is a fault of its feature', () => {
    const named = (name: unknown) => {
      const features = [area, area].map((geometry, index) => ({
        type: 'Feature',
        geometry,
        properties: index === 0 ? {} : { name },
      }));
      const found = read({ type: 'FeatureCollection', features });
      return 'fault' in found ? found : found.map((each) => ('name' in each ? each.name : undefined));
    };
    expect(named('Z\u00fcrich  \u5317\u7ad9 \u{1f68c}')).toEqual(['', 'Z\u00fcrich \u5317\u7ad9 \u{1f68c}']);
    for (const [name, stored] of [
      [12, '12'],
      [0, '0'],
      [null, ''],
      [' ', ''],
      ['\u{1f68c}'.repeat(80), '\u{1f68c}'.repeat(80)],
    ])
      // prettier-ignore
      expect(named(name)).toEqual(['', stored]);
    for (const name of [
      'A\u202eB',
      'Z\ufffdrich',
      'Z\u0081rich',
      'Bus \ud83d',
      '\u200b',
      'x'.repeat(81),
      'x'.repeat(5_000),
      'A\u0000',
    ])
      expect(named(name)).toEqual({ fault: 'name', feature: 2 });
  });

  test('has areas of several parts, and features that are no areas, which are left out', () => {
    const feature = (of: unknown, properties: object = {}) => ({ type: 'Feature', geometry: of, properties });
    const other: Corner[] = [[3, 0], [4, 0], [4, 1], [3, 0]]; // prettier-ignore
    const hole: Corner[] = [[0.2, 0.2], [0.4, 0.2], [0.4, 0.4], [0.2, 0.2]]; // prettier-ignore
    const features = [
      feature({ type: 'MultiPolygon', coordinates: [[square, hole], [other]] }, { name: 'Islands' }),
      feature({ type: 'LineString', coordinates: [[0, 0], [1, 1]] }), // prettier-ignore
      feature(null),
      feature({ type: 'Polygon', coordinates: [] }),
      feature({ type: 'MultiPolygon', coordinates: [] }),
      feature({ type: 'Point', coordinates: [0, 0] }),
      feature({ type: 'GeometryCollection', geometries: [] }),
      feature(area),
    ];
    expect(readGeoJson(`\ufeff${JSON.stringify({ type: 'FeatureCollection', features })}`)).toEqual([
      { feature: 1, name: 'Islands', shape: { kind: 'polygon', rings: [square, hole, other] } },
      { feature: 2, leftOut: 'geometry' },
      { feature: 3, leftOut: 'empty' },
      { feature: 4, leftOut: 'empty' },
      { feature: 5, leftOut: 'empty' },
      { feature: 6, leftOut: 'no_radius' },
      { feature: 7, leftOut: 'geometry' },
      { feature: 8, name: '', shape: { kind: 'polygon', rings: [square] } },
    ]);
    expect(polygon(square, hole, other)).toBeUndefined();
    expect(partsOf([other, hole, square])).toEqual([[other], [square, hole]]);
    // Next to each other, with a common edge; and an island in a lake.
    const next: Corner[] = [[1, 0], [2, 0], [2, 1], [1, 1], [1, 0]]; // prettier-ignore
    const island: Corner[] = [[0.3, 0.25], [0.35, 0.25], [0.35, 0.3], [0.3, 0.25]]; // prettier-ignore
    expect(polygon(square, next)).toBeUndefined();
    expect(partsOf([square, next])).toEqual([[square], [next]]);
    expect(partsOf([square, hole, island])).toEqual([[square, hole], [island]]);
  });

  test('of another kind says what is wrong with which feature', () => {
    const feature = (geometry: unknown, properties: object = {}) => ({ type: 'Feature', geometry, properties });
    const second = (other: unknown) => read({ type: 'FeatureCollection', features: [feature(area), other] });
    expect(second(feature({ type: 'Polygon', coordinates: [[['0', 0]]] }))).toEqual({ fault: 'not_geojson', feature: 2 });
    expect(second(7)).toEqual({ fault: 'not_geojson', feature: 2 });
    expect(second(feature({ type: 'Polygon', coordinates: [round(100_000)] }))).toEqual({
      fault: 'too_many_corners',
      feature: 2,
    });
    for (const coordinates of [7, [7], [[7]], [[[0]]], [[[0, 0, 0, 0, 0]]], [[[0, null]]]])
      expect(second(feature({ type: 'Polygon', coordinates }))).toEqual({ fault: 'not_geojson', feature: 2 });
    expect(second(feature({ type: 'Polygon', coordinates: Array.from({ length: 1_001 }, () => []) }))).toMatchObject({
      fault: 'too_many_corners',
    });
    // 21 of 1,000 corners; the last one is not looked at.
    const many = Array.from({ length: 21 }, () => feature({ type: 'Polygon', coordinates: [round(MAX_CORNERS)] }));
    expect(read({ type: 'FeatureCollection', features: many.slice(1) })).toHaveLength(20);
    expect(read({ type: 'FeatureCollection', features: [...many, 7] })).toEqual({ fault: 'too_many', feature: 21 });
    for (const text of ['', '[]', '{"type":7}', 'null', '{"type":"FeatureCollection"}'])
      expect(readGeoJson(text)).toEqual(
        text.includes('FeatureCollection') ? [{ feature: 1, leftOut: 'geometry' }] : { fault: 'not_geojson' },
      );
    expect(read({ type: 'FeatureCollection', features: Array.from({ length: 501 }, () => feature(area)) })).toMatchObject({
      fault: 'too_many',
    });
  });
});
