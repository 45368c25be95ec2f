import type { Feature, Geometry, Position } from 'geojson';

/**
 * Outlines that cross the date line with longitudes beyond 180° instead of a jump from one edge of the map to the other, which would be filled
 * across the whole map. One that surrounds a pole has no such form and is left out.
 */
export function acrossDateLine(features: readonly Feature[]): Feature[] {
  return features.flatMap((feature) => {
    const geometry = continuous(feature.geometry);
    return geometry === undefined ? [] : [{ ...feature, geometry }];
  });
}

function continuous(geometry: Geometry): Geometry | undefined {
  if (geometry.type === 'Polygon') {
    const coordinates = continuousRings(geometry.coordinates);
    return coordinates && { ...geometry, coordinates };
  }
  if (geometry.type !== 'MultiPolygon') return geometry;
  const coordinates = geometry.coordinates.flatMap((rings) => {
    const found = continuousRings(rings);
    return found === undefined ? [] : [found];
  });
  return coordinates.length === 0 ? undefined : { ...geometry, coordinates };
}

function continuousRings(rings: Position[][]): Position[][] | undefined {
  const found = rings.map(continuousRing);
  return found.every((ring) => ring !== undefined) ? found : undefined;
}

function continuousRing(ring: Position[]): Position[] | undefined {
  let shift = 0;
  const moved = ring.map(([longitude = 0, latitude = 0], index) => {
    const before = index === 0 ? longitude : ring[index - 1]![0]!;
    if (longitude - before > 180) shift -= 360;
    if (longitude - before < -180) shift += 360;
    return [longitude + shift, latitude];
  });
  return shift === 0 ? moved : undefined;
}
