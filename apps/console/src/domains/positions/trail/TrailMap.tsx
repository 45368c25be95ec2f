import { useShownScheme } from '../../../ui/scheme.ts';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from '#i18n';
import { useLanguage } from '../../../ui/language.ts';
import { boundsOfPlaces, isInView } from '../../../entities/map/bounds.ts';
import { MapNotice } from '../../../entities/map/MapNotice.tsx';
import { type Camera, useBaseMap } from '../../../entities/map/useBaseMap.ts';
import { addTrail, setMarker, setTrail, TRAIL_LAYER } from './trail-layers.ts';
import { type Fix, nearestTo, type TrailColor } from './trail.ts';
import type { Trail } from './trail.api.ts';

export interface TrailMapProps {
  readonly trail: Trail;
  readonly by: TrailColor;
  /** Where the marker is. */
  readonly chosen: Fix | undefined;
  /** A position was clicked. */
  readonly onChoose: (index: number) => void;
}

const NEAREST_FIT = 15;

function boundsOf({ fixes, newest }: Trail) {
  const places = fixes.length > 0 ? fixes : newest === null ? [] : [newest];
  return boundsOfPlaces(places);
}

/** The trail of a day, with its stops and a marker (POS-04). */
export function TrailMap(props: TrailMapProps): ReactNode {
  const language = useLanguage();
  const scheme = useShownScheme();
  const camera = useRef<Camera>(undefined);
  return <DrawnMap key={`${language} ${scheme}`} {...props} camera={camera} />;
}

function DrawnMap({
  trail,
  by,
  chosen,
  onChoose,
  camera,
}: TrailMapProps & { readonly camera: RefObject<Camera | undefined> }): ReactNode {
  const { t } = useTranslation();
  const latest = useRef({ trail, onChoose });
  useEffect(() => {
    latest.current = { trail, onChoose };
  });
  const { element, map, isReady, fault, missing } = useBaseMap({
    label: t('trail.map'),
    bounds: () => boundsOf(trail),
    nearest: NEAREST_FIT,
    camera,
    onLoad: (ready, colors) => {
      addTrail(ready, colors);
      ready.on('click', TRAIL_LAYER, ({ lngLat }) => latest.current.onChoose(nearestTo(latest.current.trail.fixes, lngLat)));
      ready.on('mouseenter', TRAIL_LAYER, () => (ready.getCanvas().style.cursor = 'pointer'));
      ready.on('mouseleave', TRAIL_LAYER, () => (ready.getCanvas().style.cursor = ''));
    },
  });

  useEffect(() => {
    if (map !== undefined) setTrail(map, trail, by);
  }, [map, trail, by]);

  useEffect(() => {
    if (map === undefined) return;
    setMarker(map, chosen);
    if (chosen !== undefined && !isInView(map, chosen)) map.panTo([chosen.longitude, chosen.latitude]);
  }, [map, chosen]);

  const shownDay = useRef(trail.day);
  useEffect(() => {
    if (map === undefined || shownDay.current === trail.day) return;
    shownDay.current = trail.day;
    const bounds = boundsOf(trail);
    if (bounds !== undefined) map.fitBounds(bounds, { padding: 48, maxZoom: NEAREST_FIT });
  }, [map, trail]);

  return (
    <div className="vehicle-map" data-ready={isReady}>
      <div ref={element} className="vehicle-map__canvas" />
      <MapNotice isReady={isReady} fault={fault ? t('trail.mapFault') : undefined} missing={missing} />
    </div>
  );
}
