import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { Language } from '../../ui/language.ts';
import { takeFirstCall } from '../../api/first-calls.ts';
import { baseStyle, loadOutlines, type MapColors } from './base-map.ts';
import { mapHeaders } from './map-authorization.ts';
import { layersOfTiles, type TileArchive } from './tile-layers.ts';

/** A style for the map, and what of the operator's could not be loaded for it. */
export interface DrawnStyle {
  readonly style: StyleSpecification;
  /** `style`: the style, so the shipped map is drawn. `parts`: a file of tiles. */
  readonly missing?: Exclude<MissingMap, 'streets'>;
}
/** `streets`: no file has tiles of what is shown. */
export type MissingMap = 'style' | 'parts' | 'streets';

interface OwnBaseMap {
  /** Address of a style, or null. */
  readonly style: string | null;
  /** Addresses of PMTiles files, from the lowest to the highest. */
  readonly tiles: readonly string[];
}

const ADDRESS = '/console/map';
/** Sources of tiles are named by it and a number. */
const TILES = 'tiles-';

/** Whether a source of a style is a file of tiles. */
export const isOfTiles = (source: string): boolean => source.startsWith(TILES);
const STYLE_TIMEOUT_MS = 10_000;
/** Styles of whole worlds are a tenth of this. */
const MOST_STYLE_LETTERS = 5_000_000;

let known: Promise<OwnBaseMap> | undefined;

async function readOwnBaseMap(): Promise<OwnBaseMap> {
  const response = await (takeFirstCall('GET', ADDRESS) ?? fetch(ADDRESS, { headers: mapHeaders() }));
  if (!response.ok) throw new Error(`The settings of the map could not be loaded: ${response.status}.`);
  return ((await response.json()) as { readonly result: OwnBaseMap }).result;
}

/** What the operator has set, read once; after a failure again. */
async function ownBaseMap(): Promise<OwnBaseMap> {
  known ??= readOwnBaseMap().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Fetch what the shipped map is made of, before it is drawn. */
export async function prepareBaseMap(): Promise<void> {
  const { style } = await ownBaseMap();
  if (style === null) await loadOutlines();
}

/** The style of the operator's server. @throws Error when it cannot be loaded or is no style */
async function fetchStyle(address: string): Promise<StyleSpecification> {
  const signal = AbortSignal.timeout(STYLE_TIMEOUT_MS);
  const response = await fetch(address, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  const text = response.ok ? await response.text() : '';
  if (text === '' || text.length > MOST_STYLE_LETTERS) throw new Error(`The style of the map answered ${response.status}.`);
  const style = JSON.parse(text) as Partial<StyleSpecification> | null;
  if (style?.version !== 8 || typeof style.sources !== 'object' || !Array.isArray(style.layers))
    throw new Error('The style of the map is not a style of version 8.');
  return style as StyleSpecification;
}

/** The shipped map, with the operator's tiles over it where there are some. */
async function tileStyle(addresses: readonly string[], colors: MapColors, language: Language): Promise<DrawnStyle> {
  const style = await baseStyle(colors, language);
  if (addresses.length === 0) return { style };
  const { openArchive } = await import('./tile-archives.ts');
  const opened = await Promise.allSettled(addresses.map(async (address) => openArchive(new URL(address, location.href).href)));
  const archives = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return {
    style: withTiles(style, archives, colors, language),
    ...(archives.length < addresses.length ? { missing: 'parts' } : {}),
  };
}

function withTiles(
  style: StyleSpecification,
  archives: readonly TileArchive[],
  colors: MapColors,
  language: Language,
): StyleSpecification {
  const parts = archives.map((archive, index) => layersOfTiles(archive, `${TILES}${index}`, colors, language));
  const named = parts.some(({ labels }) => labels.length > 0) || archives.some(({ kind }) => kind === 'raster');
  const isLabel = ({ type }: LayerSpecification) => type === 'symbol';
  return {
    ...style,
    sources: { ...style.sources, ...Object.assign({}, ...parts.map(({ source }) => source)) },
    layers: [
      ...style.layers.filter((layer) => !isLabel(layer)),
      ...parts.flatMap(({ areas }) => areas),
      ...parts.flatMap(({ labels }) => labels),
      // The tiles have names of their own.
      ...(named ? [] : style.layers.filter(isLabel)),
    ],
  };
}

/**
 * The style of a map: the operator's, else the shipped one with the operator's tiles (POS-03). It never fails because of what the
 * operator has set. @param withOwnStyle false once the operator's style could not be drawn
 */
export async function styleOfMap(colors: MapColors, language: Language, withOwnStyle: boolean): Promise<DrawnStyle> {
  const { style, tiles } = await ownBaseMap().catch((): OwnBaseMap => ({ style: null, tiles: [] }));
  if (style === null) return tileStyle(tiles, colors, language);
  try {
    if (withOwnStyle) return { style: await fetchStyle(style) };
  } catch {
    // The shipped map says so.
  }
  return { ...(await tileStyle(tiles, colors, language)), missing: 'style' };
}
