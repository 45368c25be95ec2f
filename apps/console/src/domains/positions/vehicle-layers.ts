import type { Feature, Point, Polygon } from 'geojson';
import { ringsOf } from '../geofences/index.ts';
import type { ExpressionSpecification, GeoJSONSource, LayerSpecification, MapLibreMap } from 'maplibre-gl';
import { isMoving, toneOf, type ColorBy, type MapTone, type Vehicle } from './vehicle.ts';

export const VEHICLES = 'vehicles';
const ESTIMATES = 'vehicle-estimates';
/** Layers that are clicked. */
export const CLUSTER_LAYER = 'clusters';
export const VEHICLE_LAYER = 'vehicle-dots';
const SELECTED_LAYER = 'vehicle-selected';
const ARROW = 'arrow';
/** From this zoom on each vehicle is shown by itself. */
const CLUSTERED_TO = 11;

/** Colours of vehicles, from tokens.css. */
export interface VehicleColors extends Readonly<Record<MapTone, string>> {
  readonly ring: string;
  readonly text: string;
  readonly selected: string;
  readonly font: string[];
}

function featureOf(vehicle: Vehicle, tone: MapTone): Feature<Point> {
  return {
    type: 'Feature',
    properties: {
      device: vehicle.device,
      name: vehicle.name,
      tone,
      isEstimated: vehicle.radius !== null,
      // −1: it stands, or its direction is not known.
      heading: isMoving(vehicle) === true && vehicle.heading !== null ? vehicle.heading : -1,
    },
    geometry: { type: 'Point', coordinates: [vehicle.longitude, vehicle.latitude] },
  };
}

/** Draws vehicles in place of those before. Resolves when the map has them. @param now epoch seconds */
export type DrawVehicles = (vehicles: readonly Vehicle[], by: ColorBy, now: number) => Promise<void>;

/** Draws only what changed since the last time: of ten thousand vehicles few move within a second. @param source with ids of devices */
export function drawVehicles(source: Pick<GeoJSONSource, 'setData' | 'updateData'>): DrawVehicles {
  let drawn: ReadonlyMap<string, { readonly vehicle: Vehicle; readonly tone: MapTone }> = new Map();
  return async (vehicles, by, now) => {
    const next = new Map(vehicles.map((vehicle) => [vehicle.device, { vehicle, tone: toneOf(vehicle, by, now) }]));
    const features = (entries: Iterable<{ readonly vehicle: Vehicle; readonly tone: MapTone }>) =>
      Array.from(entries, ({ vehicle, tone }) => featureOf(vehicle, tone));
    const changed = [...next.values()].filter(({ vehicle, tone }) => {
      const before = drawn.get(vehicle.device);
      return before === undefined || before.vehicle !== vehicle || before.tone !== tone;
    });
    const gone = [...drawn.keys()].filter((device) => !next.has(device));
    drawn = next;
    if (changed.length * 2 > next.size || next.size === 0)
      await source.setData({ type: 'FeatureCollection', features: features(next.values()) });
    else if (changed.length + gone.length > 0) await source.updateData({ remove: gone, add: features(changed) });
  };
}

/** Add the vehicles to a map whose style has loaded. */
export function addVehicles(map: MapLibreMap, colors: VehicleColors): void {
  const isTone = (tone: MapTone) => ['case', ['==', ['get', 'tone'], tone], 1, 0];
  map.addImage(ARROW, arrowImage(), { sdf: true, pixelRatio: 2 });
  map.addSource(VEHICLES, {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: [] },
    promoteId: 'device',
    cluster: true,
    clusterRadius: 44,
    clusterMaxZoom: CLUSTERED_TO,
    clusterProperties: {
      bad: ['+', isTone('bad')],
      warn: ['+', isTone('warn')],
      ok: ['+', isTone('ok')],
    },
  });
  map.addSource(ESTIMATES, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  for (const layer of layersOf(colors)) map.addLayer(layer);
}

/** Draw the circle within which each vehicle is whose place is estimated (SAY-08). */
export function setEstimates(map: MapLibreMap, vehicles: readonly Vehicle[]): void {
  const features = vehicles.flatMap(({ latitude, longitude, radius }): Feature<Polygon>[] => {
    if (radius === null) return [];
    const coordinates = ringsOf({ kind: 'circle', latitude, longitude, radius });
    return [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } }];
  });
  void map.getSource<GeoJSONSource>(ESTIMATES)?.setData({ type: 'FeatureCollection', features });
}

export function setSelected(map: MapLibreMap, device: string | undefined): void {
  if (map.getLayer(SELECTED_LAYER) !== undefined) map.setFilter(SELECTED_LAYER, ['==', ['get', 'device'], device ?? '']);
}

function layersOf(colors: VehicleColors): LayerSpecification[] {
  const single: ExpressionSpecification = ['!', ['has', 'point_count']];
  const font = { 'text-font': colors.font };
  const estimated: ExpressionSpecification = ['get', 'isEstimated'];
  return [
    {
      id: 'vehicle-estimates',
      type: 'fill',
      source: ESTIMATES,
      minzoom: 8,
      paint: { 'fill-color': colors.selected, 'fill-opacity': 0.1 },
    },
    {
      id: 'vehicle-estimate-edges',
      type: 'line',
      source: ESTIMATES,
      minzoom: 8,
      paint: { 'line-color': colors.selected, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: CLUSTER_LAYER,
      type: 'circle',
      source: VEHICLES,
      filter: ['has', 'point_count'],
      paint: {
        'circle-color': colors.ring,
        'circle-radius': ['step', ['get', 'point_count'], 16, 10, 20, 100, 26, 1000, 32],
        // What most of its vehicles are.
        'circle-stroke-color': [
          'case',
          ['all', ['>', ['get', 'bad'], ['get', 'ok']], ['>=', ['get', 'bad'], ['get', 'warn']]],
          colors.bad,
          ['>', ['get', 'warn'], ['get', 'ok']],
          colors.warn,
          ['>', ['get', 'ok'], 0],
          colors.ok,
          colors.none,
        ],
        'circle-stroke-width': 4,
      },
    },
    {
      id: 'cluster-counts',
      type: 'symbol',
      source: VEHICLES,
      filter: ['has', 'point_count'],
      layout: { ...font, 'text-field': ['get', 'point_count_abbreviated'], 'text-size': 13, 'text-allow-overlap': true },
      paint: { 'text-color': colors.text },
    },
    {
      id: SELECTED_LAYER,
      type: 'circle',
      source: VEHICLES,
      filter: ['==', ['get', 'device'], ''],
      paint: { 'circle-radius': 15, 'circle-color': colors.selected, 'circle-opacity': 0.25 },
    },
    {
      id: 'vehicle-arrows',
      type: 'symbol',
      source: VEHICLES,
      filter: ['all', single, ['>=', ['get', 'heading'], 0]],
      layout: {
        'icon-image': ARROW,
        'icon-rotate': ['get', 'heading'],
        'icon-rotation-alignment': 'map',
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
      paint: { 'icon-color': toneColor(colors) },
    },
    {
      id: VEHICLE_LAYER,
      type: 'circle',
      source: VEHICLES,
      filter: single,
      paint: {
        'circle-radius': 7,
        // One whose place is estimated is hollow.
        'circle-color': ['case', estimated, colors.ring, toneColor(colors)],
        'circle-stroke-color': ['case', estimated, toneColor(colors), colors.ring],
        'circle-stroke-width': ['case', estimated, 3, 2],
      },
    },
    {
      id: 'vehicle-names',
      type: 'symbol',
      source: VEHICLES,
      minzoom: 9,
      filter: single,
      layout: { ...font, 'text-field': ['get', 'name'], 'text-size': 12, 'text-offset': [0, 1.2], 'text-anchor': 'top' },
      paint: { 'text-color': colors.text, 'text-halo-color': colors.ring, 'text-halo-width': 1.5 },
    },
  ];
}

function toneColor(colors: VehicleColors): ExpressionSpecification {
  return ['match', ['get', 'tone'], 'ok', colors.ok, 'warn', colors.warn, 'bad', colors.bad, colors.none];
}

/** A tip that points north, outside of the dot of a vehicle. */
function arrowImage(): ImageData {
  const size = 56;
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d')!;
  context.beginPath();
  context.moveTo(size / 2, 1);
  context.lineTo(size / 2 + 10, 16);
  context.lineTo(size / 2 - 10, 16);
  context.closePath();
  context.fill();
  return context.getImageData(0, 0, size, size);
}
