import { addProtocol } from 'maplibre-gl';
import { FetchSource, PMTiles, Protocol, TileType } from 'pmtiles';
import { mapHeaders } from './map-authorization.ts';
import type { TileArchive } from './tile-layers.ts';

const protocol = new Protocol();
addProtocol('pmtiles', protocol.tile);
const opened = new Map<string, Promise<TileArchive>>();

async function open(address: string): Promise<TileArchive> {
  const file = new PMTiles(new FetchSource(address, mapHeaders()));
  const [{ tileType, minZoom, maxZoom }, metadata] = await Promise.all([file.getHeader(), file.getMetadata()]);
  const { vector_layers: found, attribution } = (metadata ?? {}) as { vector_layers?: unknown; attribution?: unknown };
  protocol.add(file);
  const names = Array.isArray(found) ? found.map((layer: { readonly id?: unknown }) => layer.id) : [];
  return {
    url: `pmtiles://${address}`,
    kind: tileType === TileType.Mvt || tileType === TileType.Mlt ? 'vector' : 'raster',
    layers: names.filter((id) => typeof id === 'string'),
    zooms: [minZoom, maxZoom],
    attribution: typeof attribution === 'string' ? attribution : '',
  };
}

/** A PMTiles file at an absolute address, opened once; after a failure again. */
export async function openArchive(address: string): Promise<TileArchive> {
  const before = opened.get(address);
  if (before !== undefined) return before;
  const opening = open(address);
  opened.set(address, opening);
  opening.catch(() => opened.delete(address));
  return opening;
}
