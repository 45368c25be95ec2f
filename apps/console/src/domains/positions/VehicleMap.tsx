import { useShownScheme } from '../../ui/scheme.ts';
import type { GeoJSONSource, MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useLanguage } from '../../ui/language.ts';
import { addGeofences, setGeofences } from '../geofences/index.ts';
import type { Geofence } from '../../entities/geofences/geofence.api.ts';
import { boundsOfPlaces } from '../../entities/map/bounds.ts';
import { MapNotice } from '../../entities/map/MapNotice.tsx';
import { type Camera, useBaseMap } from '../../entities/map/useBaseMap.ts';
import {
  addVehicles,
  CLUSTER_LAYER,
  type DrawVehicles,
  drawVehicles,
  setEstimates,
  setSelected,
  VEHICLE_LAYER,
  VEHICLES,
} from './vehicle-layers.ts';
import type { ColorBy, Vehicle } from './vehicle.ts';

export interface VehicleMapProps {
  readonly vehicles: readonly Vehicle[];
  readonly fences: readonly Geofence[];
  readonly by: ColorBy;
  /** Epoch seconds. */
  readonly now: number;
  readonly selected: Vehicle | undefined;
  readonly onSelect: (device: string) => void;
  /** The map shows all vehicles again when this changes: the filters that they match. */
  readonly view: string;
}

export { prepareBaseMap } from '../../entities/map/own-base-map.ts';

/** As near as all vehicles at one place are shown. */
const NEAREST_FIT = 10.5;
const SELECTED_ZOOM = 13;

/** The vehicles on the base map: clustered, coloured, and to be chosen (POS-02). It fills its parent. */
export function VehicleMap(props: VehicleMapProps): ReactNode {
  const language = useLanguage();
  const scheme = useShownScheme();
  const camera = useRef<Camera>(undefined);
  // Colours and names are part of the drawn map: it is drawn again, where it was.
  return <DrawnMap key={`${language} ${scheme}`} {...props} camera={camera} />;
}

function DrawnMap({
  vehicles,
  fences,
  by,
  now,
  selected,
  onSelect,
  view,
  camera,
}: VehicleMapProps & { readonly camera: RefObject<Camera | undefined> }): ReactNode {
  const { t } = useTranslation();
  const latest = useRef({ vehicles, onSelect });
  useEffect(() => {
    latest.current = { vehicles, onSelect };
  });
  const draw = useRef<DrawVehicles>(undefined);
  const [drawn, setDrawn] = useState<number>();
  const { element, map, isReady, fault, missing } = useBaseMap({
    label: t('positions.map.label'),
    bounds: () => boundsOfPlaces(vehicles),
    nearest: NEAREST_FIT,
    camera,
    onLoad: (ready, colors) => {
      addGeofences(ready, colors);
      addVehicles(ready, colors);
      draw.current = drawVehicles(ready.getSource<GeoJSONSource>(VEHICLES)!);
      listen(ready, (device) => latest.current.onSelect(device));
    },
  });

  useEffect(() => {
    if (map === undefined) return undefined;
    let isCurrent = true;
    const isDrawn = () => {
      if (isCurrent) setDrawn(vehicles.length);
    };
    // The map was removed meanwhile.
    draw.current?.(vehicles, by, now).then(isDrawn, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [map, vehicles, by, now]);

  useEffect(() => {
    if (map !== undefined) setEstimates(map, vehicles);
  }, [map, vehicles]);

  useEffect(() => {
    if (map !== undefined) setGeofences(map, fences);
  }, [map, fences]);

  const device = selected?.device;
  useEffect(() => {
    if (map === undefined) return;
    setSelected(map, device);
    const found = latest.current.vehicles.find((each) => each.device === device);
    if (found !== undefined)
      map.easeTo({ center: [found.longitude, found.latitude], zoom: Math.max(map.getZoom(), SELECTED_ZOOM) });
  }, [map, device]);

  const shownView = useRef(view);
  useEffect(() => {
    if (map === undefined || shownView.current === view) return;
    shownView.current = view;
    const bounds = boundsOfPlaces(latest.current.vehicles);
    if (bounds !== undefined) map.fitBounds(bounds, { padding: 48, maxZoom: NEAREST_FIT });
  }, [map, view]);

  return (
    <div className="vehicle-map" data-ready={isReady} data-drawn={drawn}>
      <div ref={element} className="vehicle-map__canvas" />
      <MapNotice isReady={isReady} fault={fault ? t('positions.map.fault') : undefined} missing={missing} />
    </div>
  );
}

/** A click on a vehicle chooses it; one on a cluster comes near enough to see its parts. */
function listen(map: MapLibreMap, select: (device: string) => void): void {
  const first = (event: MapMouseEvent, layer: string) => map.queryRenderedFeatures(event.point, { layers: [layer] })[0];
  map.on('click', VEHICLE_LAYER, (event) => {
    const device: unknown = first(event, VEHICLE_LAYER)?.properties['device'];
    if (typeof device === 'string') select(device);
  });
  map.on('click', CLUSTER_LAYER, (event) => {
    const cluster = first(event, CLUSTER_LAYER);
    if (cluster?.geometry.type !== 'Point') return;
    const center = cluster.geometry.coordinates as [number, number];
    map
      .getSource<GeoJSONSource>(VEHICLES)
      ?.getClusterExpansionZoom(Number(cluster.properties['cluster_id']))
      .then((zoom) => map.easeTo({ center, zoom }))
      // The vehicles have changed meanwhile.
      .catch(() => undefined);
  });
  for (const layer of [VEHICLE_LAYER, CLUSTER_LAYER]) {
    map.on('mouseenter', layer, () => {
      map.getCanvas().style.cursor = 'pointer';
    });
    map.on('mouseleave', layer, () => {
      map.getCanvas().style.cursor = '';
    });
  }
}
