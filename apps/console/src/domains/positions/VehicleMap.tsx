import { useComputedColorScheme } from '@mantine/core';
import { AttributionControl, LngLatBounds, MapLibreMap, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../ui/language.ts';
import { baseStyle, loadOutlines, type MapColors } from './base-map.ts';
import { addVehicles, CLUSTER_LAYER, featuresOf, setSelected, setVehicles, VEHICLE_LAYER, VEHICLES } from './vehicle-layers.ts';
import type { VehicleColors } from './vehicle-layers.ts';
import type { ColorBy, Vehicle } from './vehicle.ts';

// The worker is a file of ours: the content policy allows no other.
setWorkerUrl(workerAddress);

export interface VehicleMapProps {
  readonly vehicles: readonly Vehicle[];
  readonly by: ColorBy;
  /** Epoch seconds. */
  readonly now: number;
  readonly selected: Vehicle | undefined;
  readonly onSelect: (device: string) => void;
  /** The map shows all vehicles again when this changes: the filters. */
  readonly view: string;
}

/** As near as all vehicles at one place are shown. */
const NEAREST_FIT = 10.5;
const SELECTED_ZOOM = 13;

function colorsOf(element: Element): MapColors & VehicleColors {
  const styles = getComputedStyle(element);
  const token = (name: string) => styles.getPropertyValue(`--${name}`).trim();
  return {
    water: token('map-water'),
    land: token('map-land'),
    border: token('map-border'),
    state: token('map-state'),
    town: token('ink-3'),
    ok: token('ok-dot'),
    warn: token('warn-dot'),
    bad: token('bad-dot'),
    none: token('idle-dot'),
    ring: token('surface'),
    text: token('ink'),
    selected: token('accent'),
  };
}

function boundsOf(vehicles: readonly Vehicle[]): LngLatBounds | undefined {
  if (vehicles.length === 0) return undefined;
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of vehicles) bounds.extend([longitude, latitude]);
  return bounds;
}

interface Camera {
  readonly center: [longitude: number, latitude: number];
  readonly zoom: number;
}

/** The vehicles on the base map: clustered, coloured, and to be chosen (POS-02). It fills its parent. */
export function VehicleMap(props: VehicleMapProps): ReactNode {
  const language = useLanguage();
  const scheme = useComputedColorScheme();
  const camera = useRef<Camera>(undefined);
  // Colours and names are part of the drawn map: it is drawn again, where it was.
  return <DrawnMap key={`${language} ${scheme}`} {...props} camera={camera} />;
}

function DrawnMap({
  vehicles,
  by,
  now,
  selected,
  onSelect,
  view,
  camera,
}: VehicleMapProps & { readonly camera: RefObject<Camera | undefined> }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibreMap>();
  const [fault, setFault] = useState(false);
  const latest = useRef({ vehicles, onSelect });
  useEffect(() => {
    latest.current = { vehicles, onSelect };
  });

  useEffect(() => {
    let created: MapLibreMap | undefined;
    let isOver = false;
    const open = async () => {
      await loadOutlines();
      if (isOver || element.current === null) return;
      const colors = colorsOf(element.current);
      const style = await baseStyle(colors, language);
      if (isOver || element.current === null) return;
      const bounds = boundsOf(latest.current.vehicles);
      created = new MapLibreMap({
        container: element.current,
        style,
        attributionControl: false,
        dragRotate: false,
        pitchWithRotate: false,
        renderWorldCopies: true,
        ...(camera.current ??
          (bounds === undefined
            ? { center: [-95, 38] as [number, number], zoom: 3 }
            : { bounds, fitBoundsOptions: { padding: 48, maxZoom: NEAREST_FIT } })),
        locale: {
          'Map.Title': t('positions.map.label'),
          'NavigationControl.ZoomIn': t('positions.map.zoomIn'),
          'NavigationControl.ZoomOut': t('positions.map.zoomOut'),
          'AttributionControl.ToggleAttribution': t('positions.map.sources'),
        },
      });
      created.touchZoomRotate.disableRotation();
      created.addControl(new NavigationControl({ showCompass: false }), 'top-right');
      created.addControl(new ScaleControl(), 'bottom-left');
      created.addControl(new AttributionControl({ compact: true }), 'bottom-right');
      const ready = created;
      ready.on('load', () => {
        addVehicles(ready, colors);
        listen(ready, (device) => latest.current.onSelect(device));
        setMap(ready);
      });
    };
    open().catch(() => setFault(true));
    return () => {
      isOver = true;
      setMap(undefined);
      if (created === undefined) return;
      const { lng, lat } = created.getCenter();
      camera.current = { center: [lng, lat], zoom: created.getZoom() };
      created.remove();
    };
  }, [language, t, camera]);

  useEffect(() => {
    if (map !== undefined) setVehicles(map, featuresOf(vehicles, by, now));
  }, [map, vehicles, by, now]);

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
    const bounds = boundsOf(latest.current.vehicles);
    if (bounds !== undefined) map.fitBounds(bounds, { padding: 48, maxZoom: NEAREST_FIT });
  }, [map, view]);

  return (
    <div className="vehicle-map" data-ready={map !== undefined}>
      <div ref={element} className="vehicle-map__canvas" />
      {fault && (
        <p className="vehicle-map__fault" role="alert">
          {t('positions.map.fault')}
        </p>
      )}
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
