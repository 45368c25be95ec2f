import { AttributionControl, type LngLatBounds, MapLibreMap, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../ui/language.ts';
import { baseStyle, loadOutlines, type MapColors } from './base-map.ts';

// The worker is a file of ours: the content policy allows no other.
setWorkerUrl(workerAddress);

/** Where a map was when it was drawn last. */
export interface Camera {
  readonly center: [longitude: number, latitude: number];
  readonly zoom: number;
}

/** Colours of what is drawn on the map, from tokens.css and map.css. */
export interface DrawnColors extends MapColors {
  readonly ok: string;
  readonly warn: string;
  readonly bad: string;
  readonly none: string;
  readonly ring: string;
  readonly text: string;
  readonly selected: string;
  /** A token by its name, without the dashes. */
  token(name: string): string;
}

function colorsOf(element: Element): DrawnColors {
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
    token,
  };
}

export interface BaseMapOptions {
  /** Accessible name of the map. */
  readonly label: string;
  /** What the map shows first, unless it was drawn before. */
  readonly bounds: () => LngLatBounds | undefined;
  /** As near as it shows that. */
  readonly nearest: number;
  readonly camera: RefObject<Camera | undefined>;
  /** Add what is drawn on the map; it may listen to the map, which is removed with the element. */
  readonly onLoad: (map: MapLibreMap, colors: DrawnColors) => void;
}

export interface BaseMap {
  /** For the element that the map is drawn in. */
  readonly element: RefObject<HTMLDivElement | null>;
  /** Once it is drawn. */
  readonly map: MapLibreMap | undefined;
  /** The map cannot be drawn here. */
  readonly fault: boolean;
}

/** A map with the shipped base map (POS-03). Colours and names are part of it: give the component a key of language and scheme. */
export function useBaseMap(options: BaseMapOptions): BaseMap {
  const { t } = useTranslation();
  const language = useLanguage();
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibreMap>();
  const [fault, setFault] = useState(false);
  const latest = useRef(options);
  const { camera } = options;
  useEffect(() => {
    latest.current = options;
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
      const { label, nearest, bounds: boundsOf } = latest.current;
      const bounds = boundsOf();
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
            : { bounds, fitBoundsOptions: { padding: 48, maxZoom: nearest } })),
        locale: {
          'Map.Title': label,
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
        latest.current.onLoad(ready, colors);
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

  return { element, map, fault };
}
