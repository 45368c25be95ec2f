import { coverageLevelOf, coverageLevels } from '@highline/contract';
import type { FeatureCollection, Polygon } from 'geojson';
import type { ExpressionSpecification, GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import type { DrawnColors } from '../../entities/map/useBaseMap.ts';
import type { Cell } from './coverage.api.ts';

const CELLS = 'coverage';
/** Clicked to choose a hexagon. */
export const CELL_LAYER = 'coverage-cells';
const SELECTED_LAYER = 'coverage-selected';

/** What the map draws of the hexagons. */
export function featuresOf(cells: readonly Cell[]): FeatureCollection<Polygon> {
  return {
    type: 'FeatureCollection',
    features: cells.map(({ cell, corners, rsrp, drops }) => ({
      type: 'Feature',
      properties: { cell, level: coverageLevelOf(rsrp), hasDrops: drops > 0 },
      geometry: { type: 'Polygon', coordinates: [[...unwrapped(corners), unwrapped(corners)[0]!]] },
    })),
  };
}

/** Corners of a hexagon over the date line, continued beyond 180 degrees. */
function unwrapped(corners: Cell['corners']): Cell['corners'] {
  const [first] = corners[0]!;
  return corners.map(([longitude, latitude]) => [
    longitude - first > 180 ? longitude - 360 : first - longitude > 180 ? longitude + 360 : longitude,
    latitude,
  ]);
}

/** Add the hexagons to a map whose style has loaded. */
export function addHexagons(map: MapLibreMap, colors: DrawnColors): void {
  map.addSource(CELLS, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  const levels = coverageLevels.flatMap((level) => [level, colors.token(`coverage-${level}`)]);
  const fill = ['match', ['get', 'level'], ...levels, colors.none] as unknown as ExpressionSpecification;
  map.addLayer({ id: CELL_LAYER, type: 'fill', source: CELLS, paint: { 'fill-color': fill, 'fill-opacity': 0.72 } });
  map.addLayer({
    id: 'coverage-edges',
    type: 'line',
    source: CELLS,
    paint: { 'line-color': colors.ring, 'line-width': 0.6 },
  });
  map.addLayer({
    id: 'coverage-drops',
    type: 'line',
    source: CELLS,
    filter: ['get', 'hasDrops'],
    paint: { 'line-color': colors.text, 'line-width': 2 },
  });
  map.addLayer({
    id: SELECTED_LAYER,
    type: 'line',
    source: CELLS,
    filter: ['==', ['get', 'cell'], ''],
    paint: { 'line-color': colors.selected, 'line-width': 4 },
  });
}

export function setHexagons(map: MapLibreMap, cells: readonly Cell[]): void {
  void map.getSource<GeoJSONSource>(CELLS)?.setData(featuresOf(cells));
}

export function setSelectedHexagon(map: MapLibreMap, cell: string | undefined): void {
  if (map.getLayer(SELECTED_LAYER) !== undefined) map.setFilter(SELECTED_LAYER, ['==', ['get', 'cell'], cell ?? '']);
}
