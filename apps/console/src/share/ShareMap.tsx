import type { links } from '@highline/contract';
import type { FeatureCollection } from 'geojson';
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { boundsOfPlaces, isInView } from '../entities/map/bounds.ts';
import '../entities/map/map.css';
import { type Camera, colorsOf, createMap, type DrawnColors, fontOf } from '../entities/map/create-map.ts';
import { authorizeMap } from '../entities/map/map-authorization.ts';
import { styleOfMap } from '../entities/map/own-base-map.ts';
import type { Language } from '../ui/language.ts';
import type { ShareTexts } from './texts.ts';

const VEHICLES = 'vehicles';
const NEAREST = 14;

export interface ShareMapProps {
  readonly token: string;
  readonly vehicles: readonly links.SharedVehicle[];
  readonly language: Language;
  readonly texts: ShareTexts;
}

/** Where the map was; it is drawn again in another language or scheme. */
let camera: Camera | undefined;

/** The vehicles of a link on the base map; give it a key of language and scheme. */
export function ShareMap({ token, vehicles, language, texts }: ShareMapProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibreMap>();
  const [fault, setFault] = useState(false);
  const first = useRef({ vehicles, token, language, texts });

  useEffect(() => {
    let created: MapLibreMap | undefined;
    let isOver = false;
    const { vehicles: known, token: link, language: shown, texts: names } = first.current;
    const open = async (withOwnStyle: boolean): Promise<void> => {
      if (element.current === null) return;
      authorizeMap(`Link ${link}`);
      const colors = colorsOf(element.current);
      const { style } = await styleOfMap(colors, shown, withOwnStyle);
      if (isOver || element.current === null) return;
      const bounds = boundsOfPlaces(known.map(placeOf));
      let isStyled = false;
      created = createMap({
        container: element.current,
        style,
        texts: { ...names, title: names.map },
        camera,
        bounds,
        nearest: NEAREST,
      });
      created.on('style.load', () => {
        if (isStyled || created === undefined) return;
        isStyled = true;
        addVehicles(created, { ...colors, font: fontOf(style) });
        setMap(created);
      });
      created.on('error', () => {
        // A style of the operator that is not valid: the shipped map is drawn instead.
        if (isStyled || created === undefined) return;
        created.remove();
        created = undefined;
        if (withOwnStyle) start(false);
        else setFault(true);
      });
    };
    const start = (withOwnStyle: boolean) => void open(withOwnStyle).catch(() => setFault(true));
    start(true);
    return () => {
      isOver = true;
      setMap(undefined);
      if (created === undefined) return;
      const { lng, lat } = created.getCenter();
      camera = { center: [lng, lat], zoom: created.getZoom() };
      created.remove();
    };
  }, []);

  useEffect(() => {
    if (map === undefined) return;
    void map.getSource<GeoJSONSource>(VEHICLES)?.setData(featuresOf(vehicles));
    follow(map, vehicles);
  }, [map, vehicles]);

  return (
    <>
      <div ref={element} className="vehicle-map__canvas" data-drawn={map === undefined ? undefined : vehicles.length} />
      {fault && (
        <p className="vehicle-map__notice" data-tone="bad" role="alert">
          {texts.noMap}
        </p>
      )}
    </>
  );
}

const placeOf = ([, latitude, longitude]: links.SharedVehicle) => ({ latitude, longitude });

/** One vehicle that has left what is seen is shown again. */
function follow(map: MapLibreMap, vehicles: readonly links.SharedVehicle[]): void {
  const [vehicle] = vehicles;
  if (vehicle === undefined || vehicles.length > 1) return;
  if (!isInView(map, placeOf(vehicle))) map.easeTo({ center: [vehicle[2], vehicle[1]] });
}

const featuresOf = (vehicles: readonly links.SharedVehicle[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: vehicles.map(([name, latitude, longitude]) => ({
    type: 'Feature',
    properties: { name: name ?? '' },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  })),
});

function addVehicles(map: MapLibreMap, colors: DrawnColors): void {
  map.addSource(VEHICLES, { type: 'geojson', data: featuresOf([]) });
  map.addLayer({
    id: 'dots',
    type: 'circle',
    source: VEHICLES,
    paint: {
      'circle-radius': 8,
      'circle-color': colors.selected,
      'circle-stroke-color': colors.ring,
      'circle-stroke-width': 3,
    },
  });
  map.addLayer({
    id: 'names',
    type: 'symbol',
    source: VEHICLES,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': colors.font,
      'text-size': 13,
      'text-offset': [0, 1.2],
      'text-anchor': 'top',
      'text-optional': true,
    },
    paint: { 'text-color': colors.text, 'text-halo-color': colors.ring, 'text-halo-width': 2 },
  });
}
