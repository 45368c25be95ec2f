import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A style for the map, on a server of the operator. */
export interface MapStyle {
  /** Address of its JSON. */
  readonly url: string;
  readonly origin: string;
}

/** A PMTiles file of the operator. */
export interface MapTiles {
  /** Of the file, and in its address. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

const MOST_FILES = 8;
const EXTENSION = '.pmtiles';
/** The first bytes of a PMTiles file, whose version is the last of them. */
const MAGIC = Buffer.from('PMTiles\u0003', 'latin1');
const HEADER_BYTES = 127;
const MOST_LETTERS = 2_000;

/** The main streets of the cities of the demo, drawn where an operator has set no tiles (SAY-07). */
export const SHIPPED_STREETS: MapTiles = {
  name: 'streets.pmtiles',
  path: fileURLToPath(new URL('../../../maps/streets.pmtiles', import.meta.url)),
};

/** The address of a style; undefined for one that is no address, or with a user. */
export function readMapStyle(text: string): MapStyle | undefined {
  const url = URL.parse(text);
  if (url === null || text.length > MOST_LETTERS || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return `${url.username}${url.password}${url.hash}` === '' ? { url: url.href, origin: url.origin } : undefined;
}

/** A PMTiles file, or those of a folder in the order of their names; undefined for anything else. */
export function readMapTiles(text: string): readonly MapTiles[] | undefined {
  try {
    const path = resolve(text);
    const files = statSync(path).isDirectory() ? filesIn(path) : [path];
    const isValid = files.length > 0 && files.length <= MOST_FILES && files.every(isPmTiles);
    return isValid ? files.map((file) => ({ name: basename(file), path: file })) : undefined;
  } catch {
    return undefined;
  }
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(EXTENSION));
  return names.sort().map((name) => join(folder, name));
}

function isPmTiles(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES && header.subarray(0, MAGIC.length).equals(MAGIC);
  } finally {
    closeSync(file);
  }
}
