import { useShownScheme } from '../../ui/scheme.ts';
import type { MapLibreMap } from 'maplibre-gl';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from '#i18n';
import { useLanguage } from '../../ui/language.ts';
import { type Box, boundsOfPlaces, isInView, type Place, wrapLongitude } from '../../entities/map/bounds.ts';
import { MapNotice } from '../../entities/map/MapNotice.tsx';
import { type Camera, useBaseMap } from '../../entities/map/useBaseMap.ts';
import type { Cell } from './coverage.api.ts';
import { addHexagons, CELL_LAYER, setHexagons, setSelectedHexagon } from './hexagon-layers.ts';

export interface CoverageMapProps {
  readonly cells: readonly Cell[];
  /** Shown first. */
  readonly all: readonly Place[];
  readonly selected: Cell | undefined;
  readonly onSelect: (cell: string) => void;
  /** West, south, east, north of what is seen. */
  readonly onMoved: (box: Box) => void;
}

/** As near as a single place is shown. */
const NEAREST_FIT = 12;

/** The hexagons on the base map; one can be chosen (POS-06). It fills its parent. */
export function CoverageMap(props: CoverageMapProps): ReactNode {
  const language = useLanguage();
  const scheme = useShownScheme();
  const camera = useRef<Camera>(undefined);
  // Colours and names are part of the drawn map: it is drawn again, where it was.
  return <DrawnMap key={`${language} ${scheme}`} {...props} camera={camera} />;
}

function DrawnMap({
  cells,
  all,
  selected,
  onSelect,
  onMoved,
  camera,
}: CoverageMapProps & { readonly camera: RefObject<Camera | undefined> }): ReactNode {
  const { t } = useTranslation();
  const latest = useRef({ onSelect, onMoved });
  useEffect(() => {
    latest.current = { onSelect, onMoved };
  });
  const { element, map, isReady, fault, missing } = useBaseMap({
    label: t('coverage.map'),
    bounds: () => boundsOfPlaces(all),
    nearest: NEAREST_FIT,
    camera,
    onLoad: (ready, colors) => {
      addHexagons(ready, colors);
      listen(ready, latest);
      latest.current.onMoved(boxOf(ready));
    },
  });

  useEffect(() => {
    if (map !== undefined) setHexagons(map, cells);
  }, [map, cells]);

  const chosen = selected?.cell;
  const place = useRef(selected);
  useEffect(() => {
    place.current = selected;
  });
  useEffect(() => {
    if (map === undefined) return;
    setSelectedHexagon(map, chosen);
    const at = place.current;
    if (at !== undefined && !isInView(map, at)) map.easeTo({ center: [at.longitude, at.latitude] });
  }, [map, chosen]);

  return (
    <div className="vehicle-map coverage-map" data-ready={isReady}>
      <div ref={element} className="vehicle-map__canvas" />
      <MapNotice isReady={isReady} fault={fault ? t('coverage.fault') : undefined} missing={missing} />
    </div>
  );
}

/** What is seen, to a thousandth of a degree: small movements ask nothing. */
function boxOf(map: MapLibreMap): Box {
  const bounds = map.getBounds();
  const wide = bounds.getEast() - bounds.getWest() >= 360;
  const [west, east] = wide ? [-180, 180] : [wrapLongitude(bounds.getWest()), wrapLongitude(bounds.getEast())];
  const rounded = (degrees: number) => Math.round(degrees * 1e3) / 1e3;
  return [rounded(west), rounded(Math.max(-90, bounds.getSouth())), rounded(east), rounded(Math.min(90, bounds.getNorth()))];
}

function listen(map: MapLibreMap, latest: RefObject<Pick<CoverageMapProps, 'onSelect' | 'onMoved'>>): void {
  map.on('click', CELL_LAYER, ({ point }) => {
    const cell: unknown = map.queryRenderedFeatures(point, { layers: [CELL_LAYER] })[0]?.properties['cell'];
    if (typeof cell === 'string') latest.current.onSelect(cell);
  });
  map.on('moveend', () => latest.current.onMoved(boxOf(map)));
  map.on('mouseenter', CELL_LAYER, () => {
    map.getCanvas().style.cursor = 'pointer';
  });
  map.on('mouseleave', CELL_LAYER, () => {
    map.getCanvas().style.cursor = '';
  });
}
