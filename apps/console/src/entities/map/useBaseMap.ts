import { type MapLibreMap, ScaleControl } from 'maplibre-gl';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useLanguage } from '../../ui/language.ts';
import { useSpeedUnit } from '../../ui/units.ts';
import type { Box } from './bounds.ts';
import { copyForPrint } from './copy-for-print.ts';
import { type Camera, colorsOf, createMap, type DrawnColors, fontOf } from './create-map.ts';
import { isOfTiles, type MissingMap, styleOfMap } from './own-base-map.ts';

export type { Camera, DrawnColors } from './create-map.ts';

export interface BaseMapOptions {
  /** Accessible name of the map. */
  readonly label: string;
  /** What the map shows first, unless it was drawn before. */
  readonly bounds: () => Box | undefined;
  /** As near as it shows that. */
  readonly nearest: number;
  readonly camera: RefObject<Camera | undefined>;
  /** Add what is drawn on the map; it may listen to the map, which is removed with the element. */
  readonly onLoad: (map: MapLibreMap, colors: DrawnColors) => void;
}

export interface BaseMap {
  /** For the element that the map is drawn in. */
  readonly element: RefObject<HTMLDivElement | null>;
  /** Once something can be drawn on it. */
  readonly map: MapLibreMap | undefined;
  /** It is drawn, or its tiles take long. */
  readonly isReady: boolean;
  /** The map cannot be drawn here. */
  readonly fault: boolean;
  /** What of the operator's map could not be loaded (POS-03). */
  readonly missing: MissingMap | undefined;
}

/** Tiles are not waited for any longer. */
const TILES_TIMEOUT_MS = 4_000;

/**
 * A map with the operator's base map or the shipped one (POS-03). Colours and names are part of it: give the component a key of
 * language and scheme.
 */
export function useBaseMap(options: BaseMapOptions): BaseMap {
  const { t } = useTranslation();
  const language = useLanguage();
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibreMap>();
  const [isReady, setReady] = useState(false);
  const [fault, setFault] = useState(false);
  const [missing, setMissing] = useState<MissingMap>();
  const latest = useRef(options);
  const { camera } = options;
  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    let created: MapLibreMap | undefined;
    let isOver = false;
    const open = async (withOwnStyle: boolean) => {
      if (element.current === null) return;
      const colors = colorsOf(element.current);
      const drawn = await styleOfMap(colors, language, withOwnStyle);
      if (isOver || element.current === null) return;
      setMissing(drawn.missing);
      const { label, nearest, bounds: boundsOf } = latest.current;
      created = createMap({
        container: element.current,
        style: drawn.style,
        texts: {
          title: label,
          zoomIn: t('positions.map.zoomIn'),
          zoomOut: t('positions.map.zoomOut'),
          sources: t('positions.map.sources'),
        },
        camera: camera.current,
        bounds: boundsOf(),
        nearest,
      });
      whenDrawn(created, {
        // Vehicles are more important than the land below them, and are not drawn after it.
        onStyle: (styled) => {
          copyForPrint(styled);
          latest.current.onLoad(styled, { ...colors, font: fontOf(drawn.style) });
          setMap(styled);
        },
        onReady: () => setReady(true),
        onInvalid: (invalid) => {
          invalid.remove();
          created = undefined;
          if (withOwnStyle) start(false);
          else setFault(true);
        },
        onMissing: () => setMissing((before) => before ?? 'parts'),
      });
    };
    const start = (withOwnStyle: boolean) => void open(withOwnStyle).catch(() => setFault(true));
    start(true);
    return () => {
      isOver = true;
      setMap(undefined);
      setReady(false);
      if (created === undefined) return;
      const { lng, lat } = created.getCenter();
      camera.current = { center: [lng, lat], zoom: created.getZoom() };
      created.remove();
    };
  }, [language, t, camera]);

  useScale(map);
  const hasStreets = useHasStreets(map);
  return { element, map, isReady, fault, missing: missing ?? (hasStreets ? undefined : 'streets') };
}

/** As near as this a place without streets is one that no file of tiles has. */
const STREET_ZOOM = 13;

/** False while the map shows a place so near that it should have streets, and has none (SAY-07). */
function useHasStreets(map: MapLibreMap | undefined): boolean {
  const [hasStreets, setHasStreets] = useState(true);
  useEffect(() => {
    if (map === undefined) return;
    let hasMoved = true;
    const move = () => {
      hasMoved = true;
    };
    const look = () => {
      if (!hasMoved) return;
      hasMoved = false;
      const layers = map.getStyle().layers.flatMap((layer) => ('source' in layer && isOfTiles(layer.source) ? [layer.id] : []));
      const isNear = layers.length > 0 && map.getZoom() >= STREET_ZOOM;
      setHasStreets(!isNear || map.queryRenderedFeatures({ layers }).length > 0);
    };
    map.on('moveend', move);
    map.on('idle', look);
    return () => {
      map.off('moveend', move);
      map.off('idle', look);
    };
  }, [map]);
  return hasStreets;
}

/** The scale of a map, in the person's units; changed without drawing the map again. */
function useScale(map: MapLibreMap | undefined): void {
  const unit = useSpeedUnit() === 'mph' ? 'imperial' : 'metric';
  useEffect(() => {
    if (map === undefined) return;
    const scale = new ScaleControl({ unit });
    map.addControl(scale, 'bottom-left');
    // A map that was removed has removed its controls.
    return () => {
      if (map.hasControl(scale)) map.removeControl(scale);
    };
  }, [map, unit]);
}

interface DrawnListeners {
  /** Its style is there: something can be added to it. */
  readonly onStyle: (map: MapLibreMap) => void;
  /** The map is drawn, or its tiles take long. */
  readonly onReady: () => void;
  /** Its style is invalid: it will never be drawn. */
  readonly onInvalid: (map: MapLibreMap) => void;
  /** Tiles, or a part of the style, could not be loaded. */
  readonly onMissing: () => void;
}

function whenDrawn(map: MapLibreMap, { onStyle, onReady, onInvalid, onMissing }: DrawnListeners): void {
  let state: 'new' | 'styled' | 'ready' | 'removed' = 'new';
  const begin = () => {
    if (state !== 'styled') return;
    state = 'ready';
    onReady();
  };
  map.on('style.load', () => {
    if (state !== 'new') return;
    state = 'styled';
    onStyle(map);
    setTimeout(begin, TILES_TIMEOUT_MS);
  });
  map.on('load', begin);
  map.on('remove', () => (state = 'removed'));
  map.on('error', () => {
    if (state === 'removed') return;
    if (state !== 'new') onMissing();
    else onInvalid(map);
  });
}
