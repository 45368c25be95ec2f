import type { ExpressionSpecification, GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import type { DrawnColors } from '../../../entities/map/useBaseMap.ts';
import { linesOf, pointsOf, type Fix, type TrailColor } from './trail.ts';
import type { Trail } from './trail.api.ts';

const LINES = 'trail-lines';
const STOPS = 'trail-stops';
const MARKER = 'trail-marker';
/** Clicked to choose a position. */
export const TRAIL_LAYER = LINES;

const nothing = { type: 'FeatureCollection' as const, features: [] };

/** Add an empty trail to a map whose style has loaded. */
export function addTrail(map: MapLibreMap, colors: DrawnColors): void {
  for (const id of [LINES, STOPS, MARKER]) map.addSource(id, { type: 'geojson', data: nothing });
  const { token } = colors;
  const color: ExpressionSpecification = [
    'match',
    ['get', 'tone'],
    ...['slow', 'city', 'road', 'fast'].flatMap((tone) => [tone, token(`trail-${tone}`)]),
    'good',
    colors.ok,
    'fair',
    colors.warn,
    'poor',
    colors.bad,
    colors.none,
  ] as unknown as ExpressionSpecification;
  const isGap: ExpressionSpecification = ['==', ['get', 'tone'], 'gap'];
  map.addLayer({
    id: 'trail-casing',
    type: 'line',
    source: LINES,
    filter: ['!', isGap],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': colors.ring, 'line-width': 7 },
  });
  map.addLayer({
    id: TRAIL_LAYER,
    type: 'line',
    source: LINES,
    filter: ['!', isGap],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': color, 'line-width': 4 },
  });
  map.addLayer({
    id: 'trail-gaps',
    type: 'line',
    source: LINES,
    filter: isGap,
    paint: { 'line-color': colors.none, 'line-width': 2, 'line-dasharray': [2, 2] },
  });
  map.addLayer({
    id: STOPS,
    type: 'circle',
    source: STOPS,
    paint: { 'circle-radius': 6, 'circle-color': colors.ring, 'circle-stroke-color': colors.text, 'circle-stroke-width': 2 },
  });
  map.addLayer({
    id: 'trail-marker-around',
    type: 'circle',
    source: MARKER,
    paint: { 'circle-radius': 16, 'circle-color': colors.selected, 'circle-opacity': 0.25 },
  });
  map.addLayer({
    id: MARKER,
    type: 'circle',
    source: MARKER,
    paint: {
      'circle-radius': 8,
      'circle-color': colors.selected,
      'circle-stroke-color': colors.ring,
      'circle-stroke-width': 2.5,
    },
  });
}

export function setTrail(map: MapLibreMap, { fixes, gaps, stops }: Trail, by: TrailColor): void {
  void map.getSource<GeoJSONSource>(LINES)?.setData(linesOf(fixes, gaps, by));
  void map.getSource<GeoJSONSource>(STOPS)?.setData(pointsOf(stops));
}

export function setMarker(map: MapLibreMap, fix: Fix | undefined): void {
  void map.getSource<GeoJSONSource>(MARKER)?.setData(fix === undefined ? nothing : pointsOf([fix]));
}
