import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

/** Layers with named lines: of the Protomaps schema, and of OpenMapTiles. */
const LAYERS = ['roads', 'transportation_name'] as const;
/** What is on the map but is no street. */
const OTHER = new Set(['rail', 'ferry', 'path', 'aerialway', 'transit', 'track']);
const LINE = 2;
const LONGEST_NAME = 80;
/** Named lines of one tile that are read. */
const MOST_ROADS = 20_000;

/** A part of a named street, in parts of the tile: 0 and 1 are its edges. */
export interface Road {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The named streets of a vector tile. @throws Error for a damaged tile */
export function readRoads(tile: Uint8Array): readonly Road[] {
  const { layers } = new VectorTile(new PbfReader(tile));
  const roads: Road[] = [];
  for (const layer of LAYERS.flatMap((name) => layers[name] ?? []))
    for (let index = 0; index < layer.length && roads.length < MOST_ROADS; index += 1) {
      const feature = layer.feature(index);
      const { name, kind, class: kindOfOther } = feature.properties;
      if (feature.type !== LINE || typeof name !== 'string' || name === '') continue;
      if (OTHER.has(String(kind ?? kindOfOther))) continue;
      for (const line of feature.loadGeometry())
        roads.push({
          name: name.slice(0, LONGEST_NAME),
          points: line.map(({ x, y }) => [x / layer.extent, y / layer.extent] as const),
        });
    }
  return roads;
}
