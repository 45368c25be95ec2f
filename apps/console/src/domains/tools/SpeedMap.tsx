import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from '#i18n';
import '../../entities/map/map.css';
import { boundsOfPlaces } from '../../entities/map/bounds.ts';
import { MapNotice } from '../../entities/map/MapNotice.tsx';
import { type Camera, type DrawnColors, useBaseMap } from '../../entities/map/useBaseMap.ts';
import { useLanguage } from '../../ui/language.ts';
import { useShownScheme } from '../../ui/scheme.ts';
import { useRunTexts } from './run-texts.ts';
import type { MeasuredSpeed } from './tools.api.ts';

export interface SpeedMapProps {
  readonly speeds: readonly MeasuredSpeed[];
  readonly onChoose: (run: string) => void;
}

const SPEEDS = 'speeds';
const NEAREST_FIT = 13;

/** Speed tests where they were measured (LIV-05). It fills its parent. */
export function SpeedMap(props: SpeedMapProps): ReactNode {
  const language = useLanguage();
  const scheme = useShownScheme();
  const camera = useRef<Camera>(undefined);
  // Colours and names are part of the drawn map: it is drawn again, where it was.
  return <DrawnMap key={`${language} ${scheme}`} {...props} camera={camera} />;
}

function DrawnMap({ speeds, onChoose, camera }: SpeedMapProps & { readonly camera: RefObject<Camera | undefined> }): ReactNode {
  const { t } = useTranslation();
  const { speed } = useRunTexts();
  const latest = useRef(onChoose);
  useEffect(() => {
    latest.current = onChoose;
  });
  const { element, map, isReady, fault, missing } = useBaseMap({
    label: t('tools.speeds.map'),
    bounds: () => boundsOfPlaces(speeds.flatMap(({ place }) => place ?? [])),
    nearest: NEAREST_FIT,
    camera,
    onLoad: (ready, colors) => {
      addSpeeds(ready, colors);
      ready.on('click', SPEEDS, ({ point }) => {
        const run: unknown = ready.queryRenderedFeatures(point, { layers: [SPEEDS] })[0]?.properties['run'];
        if (typeof run === 'string') latest.current(run);
      });
      ready.on('mouseenter', SPEEDS, () => (ready.getCanvas().style.cursor = 'pointer'));
      ready.on('mouseleave', SPEEDS, () => (ready.getCanvas().style.cursor = ''));
    },
  });
  useEffect(() => {
    if (map !== undefined) setSpeeds(map, speeds, speed);
  }, [map, speeds, speed]);
  return (
    <div className="vehicle-map" data-ready={isReady}>
      <div ref={element} className="vehicle-map__canvas" />
      <MapNotice isReady={isReady} fault={fault ? t('tools.speeds.mapFault') : undefined} missing={missing} />
    </div>
  );
}

function addSpeeds(map: MapLibreMap, { selected, ring, text, font }: DrawnColors): void {
  map.addSource(SPEEDS, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
  map.addLayer({
    id: SPEEDS,
    type: 'circle',
    source: SPEEDS,
    paint: { 'circle-radius': 7, 'circle-color': selected, 'circle-stroke-color': ring, 'circle-stroke-width': 2 },
  });
  map.addLayer({
    id: 'speed-texts',
    type: 'symbol',
    source: SPEEDS,
    layout: { 'text-field': ['get', 'text'], 'text-font': font, 'text-size': 12, 'text-offset': [0, 1.2], 'text-anchor': 'top' },
    paint: { 'text-color': text, 'text-halo-color': ring, 'text-halo-width': 1.5 },
  });
}

function setSpeeds(map: MapLibreMap, speeds: readonly MeasuredSpeed[], textOf: (bits: number) => string): void {
  const features = speeds.flatMap(({ run, bitsPerSecond, place }) =>
    place === null
      ? []
      : {
          type: 'Feature' as const,
          geometry: { type: 'Point' as const, coordinates: [place.longitude, place.latitude] },
          properties: { run, text: textOf(bitsPerSecond) },
        },
  );
  void map.getSource<GeoJSONSource>(SPEEDS)?.setData({ type: 'FeatureCollection', features });
}
