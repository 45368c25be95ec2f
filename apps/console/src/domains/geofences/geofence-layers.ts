import { partsOf, type Corner, type GeofenceShape } from '@highline/contract';
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import type { DrawnColors } from '../../entities/map/useBaseMap.ts';
import { ringsOf } from './draft.ts';
import type { Geofence } from '../../entities/geofences/geofence.api.ts';

const FENCES = 'geofences';
const DRAFT = 'geofence-draft';
/** Clicked to choose a geofence. */
export const FENCE_LAYER = 'geofence-areas';

const nothing: FeatureCollection<MultiPolygon> = { type: 'FeatureCollection', features: [] };

/** Add the areas to a map whose style has loaded. */
export function addGeofences(map: MapLibreMap, colors: DrawnColors): void {
  const color = colors.token('c4');
  map.addSource(FENCES, { type: 'geojson', data: nothing });
  map.addSource(DRAFT, { type: 'geojson', data: nothing });
  map.addLayer({ id: FENCE_LAYER, type: 'fill', source: FENCES, paint: { 'fill-color': color, 'fill-opacity': 0.16 } });
  map.addLayer({ id: 'geofence-edges', type: 'line', source: FENCES, paint: { 'line-color': color, 'line-width': 2 } });
  map.addLayer({
    id: 'geofence-draft-area',
    type: 'fill',
    source: DRAFT,
    paint: { 'fill-color': colors.selected, 'fill-opacity': 0.22 },
  });
  map.addLayer({
    id: 'geofence-draft-edge',
    type: 'line',
    source: DRAFT,
    paint: { 'line-color': colors.selected, 'line-width': 2.5 },
  });
  map.addLayer({
    id: 'geofence-names',
    type: 'symbol',
    source: FENCES,
    layout: { 'text-field': ['get', 'name'], 'text-font': colors.font, 'text-size': 12 },
    paint: { 'text-color': colors.text, 'text-halo-color': colors.ring, 'text-halo-width': 1.5 },
  });
}

/** Only shapes of several rings have to be divided into parts: most have one. */
function coordinatesOf(shape: GeofenceShape): Corner[][][] {
  const rings = ringsOf(shape);
  return rings.length === 1 ? [rings] : partsOf(rings);
}

const areaOf = (shape: GeofenceShape, id: string, name: string) => ({
  type: 'Feature' as const,
  properties: { id, name },
  geometry: { type: 'MultiPolygon' as const, coordinates: coordinatesOf(shape) },
});

export function setGeofences(map: MapLibreMap, fences: readonly Geofence[]): void {
  const features = fences.map(({ shape, id, name }) => areaOf(shape, id, name));
  void map.getSource<GeoJSONSource>(FENCES)?.setData({ type: 'FeatureCollection', features });
}

export function setDraft(map: MapLibreMap, shape: GeofenceShape | undefined): void {
  const features = shape === undefined ? [] : [areaOf(shape, '', '')];
  void map.getSource<GeoJSONSource>(DRAFT)?.setData({ type: 'FeatureCollection', features });
}
