import type { GeoJSON } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import statesAddress from 'us-atlas/states-10m.json?url';
import countriesAddress from 'world-atlas/countries-50m.json?url';
import type { Language } from '../../ui/language.ts';
import { acrossDateLine } from './date-line.ts';
import { towns } from '@highline/contract/towns';

/** The United States are drawn by their states, which end at the shores of the Great Lakes. */
const UNITED_STATES = '840';

/** The colours of the base map, from tokens.css. */
export interface MapColors {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly state: string;
  readonly town: string;
}

/** The fonts of the console: without an address of glyphs, text is drawn with them. */
export const MAP_FONT = ['Inter Variable', 'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'sans-serif'];

interface Outlines {
  readonly land: GeoJSON;
  readonly borders: GeoJSON;
  readonly states: GeoJSON;
}

let outlines: Promise<Outlines> | undefined;

async function fetchTopology(address: string): Promise<Topology> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The base map could not be loaded: ${response.status}.`);
  return (await response.json()) as Topology;
}

const collection = (topology: Topology, name: string) => topology.objects[name] as GeometryCollection;

async function readOutlines(): Promise<Outlines> {
  const [world, america] = await Promise.all([fetchTopology(countriesAddress), fetchTopology(statesAddress)]);
  const countries = collection(world, 'countries');
  const others = countries.geometries.filter(({ id }) => id !== UNITED_STATES);
  const land = feature(world, { ...countries, geometries: others });
  const states = feature(america, collection(america, 'states'));
  return {
    land: { type: 'FeatureCollection', features: acrossDateLine([...land.features, ...states.features]) },
    borders: mesh(world, countries, (a, b) => a !== b),
    states: mesh(america, collection(america, 'states'), (a, b) => a !== b),
  };
}

/** Read once; after a failure again. */
export function loadOutlines(): Promise<Outlines> {
  outlines ??= readOutlines().catch((error: unknown) => {
    outlines = undefined;
    throw error;
  });
  return outlines;
}

/** The style of the shipped base map: land, borders and towns, without any call to others (POS-03). */
export async function baseStyle(colors: MapColors, language: Language): Promise<StyleSpecification> {
  const { land, borders, states } = await loadOutlines();
  const named = towns.map(({ name, chinese = name, latitude, longitude, rank }) => ({
    type: 'Feature' as const,
    properties: { name: language === 'zh-TW' ? chinese : name, rank },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  }));
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: land, attribution: 'Natural Earth, US Census Bureau' },
      borders: { type: 'geojson', data: borders },
      states: { type: 'geojson', data: states },
      towns: { type: 'geojson', data: { type: 'FeatureCollection', features: named } },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colors.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colors.land, 'fill-antialias': true } },
      { id: 'states', type: 'line', source: 'states', paint: { 'line-color': colors.state, 'line-width': 0.8 } },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': colors.border, 'line-width': 1.2 } },
      {
        id: 'towns',
        type: 'symbol',
        source: 'towns',
        filter: ['<=', ['get', 'rank'], ['step', ['zoom'], 1, 4, 2, 6, 3]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': MAP_FONT,
          'text-size': ['interpolate', ['linear'], ['zoom'], 2, 11, 10, 14],
          'symbol-sort-key': ['get', 'rank'],
          'text-padding': 6,
        },
        paint: { 'text-color': colors.town, 'text-halo-color': colors.land, 'text-halo-width': 1.5 },
      },
    ],
  };
}
