import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { Language } from '../../ui/language.ts';
import { MAP_FONT, type MapColors } from './base-map.ts';

/** A PMTiles file that was opened. */
export interface TileArchive {
  /** For a source of the map. */
  readonly url: string;
  readonly kind: 'vector' | 'raster';
  /** Names of its vector layers. */
  readonly layers: readonly string[];
  readonly zooms: readonly [min: number, max: number];
  readonly attribution: string;
}

/** What one file adds to the style of the map. */
interface TileLayers {
  readonly source: Readonly<Record<string, SourceSpecification>>;
  readonly areas: readonly LayerSpecification[];
  readonly labels: readonly LayerSpecification[];
}

type Look = 'land' | 'green' | 'water' | 'waterway' | 'building' | 'road' | 'border' | 'line' | 'place' | 'street' | 'none';

/** The layers of the Protomaps and of the OpenMapTiles schema, from the lowest to the highest. */
const LOOKS: Readonly<Record<string, Look>> = {
  earth: 'land',
  landcover: 'green',
  landuse: 'green',
  park: 'green',
  water: 'water',
  waterway: 'waterway',
  building: 'building',
  buildings: 'building',
  transportation: 'road',
  roads: 'road',
  boundary: 'border',
  boundaries: 'border',
  place: 'place',
  places: 'place',
  transportation_name: 'street',
  aeroway: 'none',
  aerodrome_label: 'none',
  housenumber: 'none',
  mountain_peak: 'none',
  poi: 'none',
  pois: 'none',
  water_name: 'none',
};
const ORDER = Object.keys(LOOKS);

/** A layer that neither schema has is drawn as lines. */
const lookOf = (name: string) => (Object.hasOwn(LOOKS, name) ? LOOKS[name]! : 'line');

/** How far up a layer is; one that neither schema has is drawn as lines over the areas. */
const rankOf = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.indexOf('boundary') - 0.5);

/** Layers that draw a PMTiles file in the colours of the shipped map. */
export function layersOfTiles(
  { url, kind, layers, zooms: [minzoom, maxzoom], attribution }: TileArchive,
  id: string,
  colors: MapColors,
  language: Language,
): TileLayers {
  const named = attribution === '' ? {} : { attribution };
  if (kind === 'raster')
    return {
      source: { [id]: { type: 'raster', url, tileSize: 256, minzoom, maxzoom, ...named } },
      areas: [{ id, type: 'raster', source: id }],
      labels: [],
    };
  const drawn = layers
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .flatMap((name) => layersOf(lookOf(name), { id: `${id}-${name}`, source: id, 'source-layer': name }, colors, language));
  return {
    source: { [id]: { type: 'vector', url, minzoom, maxzoom, ...named } },
    areas: drawn.filter(({ type }) => type !== 'symbol'),
    labels: drawn.filter(({ type }) => type === 'symbol'),
  };
}

interface Common {
  readonly id: string;
  readonly source: string;
  readonly 'source-layer': string;
}

/** Roads that are seen from far, in either schema. */
const IS_MAJOR: ExpressionSpecification = [
  'in',
  ['coalesce', ['get', 'class'], ['get', 'kind'], ''],
  ['literal', ['motorway', 'trunk', 'primary', 'highway', 'major_road']],
];

function layersOf(look: Look, common: Common, colors: MapColors, language: Language): LayerSpecification[] {
  const fill = (color: string, opacity: number): LayerSpecification[] => [
    {
      ...common,
      type: 'fill',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': color, 'fill-opacity': opacity },
    },
  ];
  const line = (color: string, width: number): LayerSpecification[] => [
    { ...common, type: 'line', paint: { 'line-color': color, 'line-width': width } },
  ];
  switch (look) {
    case 'land':
      return fill(colors.land, 1);
    case 'green':
      return fill(colors.state, 0.25);
    case 'water':
      return fill(colors.water, 1);
    case 'building':
      return fill(colors.state, 0.6);
    case 'waterway':
      return line(colors.water, 1.2);
    case 'border':
      return line(colors.border, 1.2);
    case 'line':
      return line(colors.state, 0.8);
    case 'road':
      // In the schema of Protomaps the names of streets are on the streets.
      return [
        roads(common, colors),
        { ...names(common, colors, language, { 'symbol-placement': 'line' }), id: `${common.id}-names`, minzoom: 12 },
      ];
    case 'place':
      return [names(common, colors, language, {})];
    case 'street':
      return [names(common, colors, language, { 'symbol-placement': 'line' })];
    case 'none':
      return [];
  }
}

function roads(common: Common, colors: MapColors): LayerSpecification {
  const width = (major: number, other: number): ExpressionSpecification => ['case', IS_MAJOR, major, other];
  return {
    ...common,
    type: 'line',
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': ['case', IS_MAJOR, colors.border, colors.state],
      'line-width': ['interpolate', ['exponential', 1.4], ['zoom'], 5, width(0.8, 0), 10, width(1.8, 0.5), 16, width(8, 4)],
    },
  };
}

function names(
  common: Common,
  colors: MapColors,
  language: Language,
  placement: { readonly 'symbol-placement'?: 'line' },
): LayerSpecification {
  const inLanguage = language === 'zh-TW' ? ['name:zh-Hant', 'name:zh', 'name'] : ['name:en', 'name'];
  return {
    ...common,
    type: 'symbol',
    layout: {
      'text-field': ['coalesce', ...inLanguage.map((key): ExpressionSpecification => ['get', key])] as never,
      'text-font': MAP_FONT,
      'text-size': ['interpolate', ['linear'], ['zoom'], 2, 11, 10, 14],
      'text-padding': 6,
      ...placement,
    },
    paint: { 'text-color': colors.town, 'text-halo-color': colors.land, 'text-halo-width': 1.5 },
  };
}
