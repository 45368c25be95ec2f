import { describe, expect, test } from 'vitest';
import { MAX_CORNERS, shapeFault, type Corner } from './geofence-shape.ts';
import { readGeoJson } from './geojson.ts';

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
        { name: 'Depot 1', shape: { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 150 } },
        { name: '', shape: { kind: 'polygon', rings: [square] } },
      ],
    );
    expect(read(area)).toHaveLength(1);
    expect(read(point)).toHaveLength(1);
    expect(read({ type: 'FeatureCollection', features: [] })).toEqual([]);
  });

  test('of another kind says what is wrong with which feature', () => {
    const feature = (geometry: unknown, properties: object = {}) => ({ type: 'Feature', geometry, properties });
    const second = (other: unknown) => read({ type: 'FeatureCollection', features: [feature(area), other] });
    expect(second(feature({ type: 'LineString', coordinates: [[0, 0], [1, 1]] }))).toEqual({ fault: 'geometry', feature: 2 }); // prettier-ignore
    expect(second(feature({ type: 'MultiPolygon', coordinates: [[square]] }))).toEqual({ fault: 'geometry', feature: 2 });
    expect(second(feature(null))).toEqual({ fault: 'geometry', feature: 2 });
    expect(second(feature({ type: 'Point', coordinates: [0, 0] }))).toEqual({ fault: 'no_radius', feature: 2 });
    expect(second(feature({ type: 'Polygon', coordinates: [[['0', 0]]] }))).toEqual({ fault: 'not_geojson', feature: 2 });
    expect(second(7)).toEqual({ fault: 'not_geojson', feature: 2 });
    expect(second(feature({ type: 'Polygon', coordinates: [round(100_000)] }))).toEqual({
      fault: 'too_many_corners',
      feature: 2,
    });
    for (const text of ['', '[]', '{"type":7}', 'null', '{"type":"FeatureCollection"}'])
      expect(readGeoJson(text)).toMatchObject({ fault: text.includes('FeatureCollection') ? 'geometry' : 'not_geojson' });
    expect(read({ type: 'FeatureCollection', features: Array.from({ length: 501 }, () => feature(area)) })).toMatchObject({
      fault: 'too_many',
    });
  });
});
