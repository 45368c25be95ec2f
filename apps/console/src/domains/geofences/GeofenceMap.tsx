import type { GeofenceShape } from '@highline/contract';
import { useShownScheme } from '../../ui/scheme.ts';
import type { MapLibreMap } from 'maplibre-gl';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from '#i18n';
import { useLanguage } from '../../ui/language.ts';
import { type Box, boundsOfPlaces, isInView } from '../../entities/map/bounds.ts';
import { MapNotice } from '../../entities/map/MapNotice.tsx';
import { type Camera, useBaseMap } from '../../entities/map/useBaseMap.ts';
import { ringsOf } from './draft.ts';
import { addGeofences, FENCE_LAYER, setDraft, setGeofences } from './geofence-layers.ts';
import type { Geofence } from '../../entities/geofences/geofence.api.ts';

export interface GeofenceMapProps {
  readonly fences: readonly Geofence[];
  /** The shape in the form. */
  readonly draft: GeofenceShape | undefined;
  /** What the person draws; undefined = nothing. */
  readonly drawing: GeofenceShape['kind'] | undefined;
  readonly onDrawn: (shape: GeofenceShape) => void;
  readonly onChoose: (id: string) => void;
}

const NEAREST_FIT = 14;
const LEAST_PIXELS = 24;

function boundsOf(shapes: readonly GeofenceShape[]): Box | undefined {
  const corners = shapes.flatMap((shape) => ringsOf(shape).flat());
  return boundsOfPlaces(corners.map(([longitude, latitude]) => ({ longitude, latitude })));
}

/** Whether an area is on the screen, and large enough to be recognized. */
function isSeen(map: MapLibreMap, [west, south, east, north]: Box): boolean {
  const [lower, upper] = [map.project([west, south]), map.project([east, north])];
  const isLarge = Math.max(Math.abs(upper.x - lower.x), Math.abs(upper.y - lower.y)) >= LEAST_PIXELS;
  const corners = [
    { longitude: west, latitude: south },
    { longitude: east, latitude: north },
  ];
  return isLarge && corners.every((corner) => isInView(map, corner));
}

/** The geofences on the base map; one can be drawn there (POS-05). It fills its parent. */
export function GeofenceMap(props: GeofenceMapProps): ReactNode {
  const language = useLanguage();
  const scheme = useShownScheme();
  const camera = useRef<Camera>(undefined);
  return <DrawnMap key={`${language} ${scheme}`} {...props} camera={camera} />;
}

function DrawnMap({
  fences,
  draft,
  drawing,
  onDrawn,
  onChoose,
  camera,
}: GeofenceMapProps & { readonly camera: RefObject<Camera | undefined> }): ReactNode {
  const { t } = useTranslation();
  const latest = useRef({ onDrawn, onChoose, isDrawing: false });
  useEffect(() => {
    latest.current = { onDrawn, onChoose, isDrawing: drawing !== undefined };
  });
  const known = useRef<ReadonlySet<string>>(new Set());
  const { element, map, isReady, fault, missing } = useBaseMap({
    label: t('geofences.map'),
    bounds: () => boundsOf(fences.map(({ shape }) => shape)),
    nearest: NEAREST_FIT,
    camera,
    onLoad: (ready, colors) => {
      addGeofences(ready, colors);
      ready.on('click', FENCE_LAYER, ({ point }) => {
        const id: unknown = ready.queryRenderedFeatures(point, { layers: [FENCE_LAYER] })[0]?.properties['id'];
        if (!latest.current.isDrawing && typeof id === 'string') latest.current.onChoose(id);
      });
    },
  });

  useEffect(() => {
    if (map === undefined) return;
    setGeofences(map, fences);
    // What was saved or imported is brought into sight.
    const added = fences.filter(({ id }) => !known.current.has(id)).map(({ shape }) => shape);
    known.current = new Set(fences.map(({ id }) => id));
    const bounds = boundsOf(added);
    if (bounds !== undefined && !isSeen(map, bounds)) map.fitBounds(bounds, { padding: 64, maxZoom: NEAREST_FIT });
  }, [map, fences]);

  const text = JSON.stringify(draft);
  useEffect(() => {
    if (map === undefined) return;
    const shape = text === undefined ? undefined : (JSON.parse(text) as GeofenceShape);
    setDraft(map, shape);
    const bounds = shape === undefined ? undefined : boundsOf([shape]);
    if (bounds !== undefined && !isSeen(map, bounds)) map.fitBounds(bounds, { padding: 64, maxZoom: NEAREST_FIT });
  }, [map, text]);

  useEffect(() => {
    if (map === undefined || drawing === undefined) return undefined;
    let stop: (() => void) | undefined;
    let isOver = false;
    const begin = async () => {
      const { startDrawing } = await import('./drawing.ts');
      if (!isOver) stop = startDrawing(map, drawing, (shape) => latest.current.onDrawn(shape));
    };
    // Without it an area can still be typed.
    begin().catch(() => undefined);
    return () => {
      isOver = true;
      stop?.();
    };
  }, [map, drawing]);

  return (
    <div className="vehicle-map" data-ready={isReady} data-drawing={drawing}>
      <div ref={element} className="vehicle-map__canvas" />
      <MapNotice isReady={isReady} fault={fault ? t('geofences.fault') : undefined} missing={missing} />
    </div>
  );
}
