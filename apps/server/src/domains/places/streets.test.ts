import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { pmTiles, pmTilesOfWorld, type TileFeature, vectorTile, WHOLE_TILE } from '../../testing/map-files.ts';
import { silentLog } from '../../testing/log.ts';
import { createStreetFinder } from './streets.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-streets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The tile of zoom 14 in whose middle this place is. */
const HERE = { latitude: 41.9759, longitude: -87.7039 };
const [TILE_X, TILE_Y] = [Math.floor(((HERE.longitude + 180) / 360) * 2 ** 14), 6089];

const line = (name: string, corners: TileFeature['corners'], kind = 'major_road'): TileFeature => ({
  kind: 'line',
  corners,
  properties: { name, kind },
});
const tileOf = (roads: readonly TileFeature[], layer = 'roads') => ({
  zoom: 14,
  x: TILE_X,
  y: TILE_Y,
  content: vectorTile({ [layer]: roads }),
});
const write = (name: string, content: Buffer) => {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
  return path;
};
/** The place of a point of that tile. */
function placeAt(x: number, y: number) {
  const size = 2 ** 14;
  const longitude = ((TILE_X + x / 4096) / size) * 360 - 180;
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (TILE_Y + y / 4096)) / size))) * 180) / Math.PI;
  return { latitude, longitude };
}

describe('SAY-07-partial streets of the tiles of an operator', () => {
  test('the nearest street, where it is crossed, and nothing where none is near; railways are no streets', async () => {
    const roads = [
      line('Main Street', [[0, 2000], [4096, 2000]]), // prettier-ignore
      line('First Avenue', [[1000, 0], [1000, 4096]]), // prettier-ignore
      line('Second Avenue', [[1500, 2010], [1500, 4096]]), // prettier-ignore
      line('Blue Line', [[0, 1980], [4096, 1980]], 'rail'), // prettier-ignore
    ];
    const find = createStreetFinder([write('a.pmtiles', pmTiles([tileOf(roads)], ['roads'], ''))], silentLog);
    expect(await find(placeAt(1100, 1990))).toEqual({ street: 'Main Street', crossing: 'First Avenue' });
    expect(await find(placeAt(1450, 1990))).toEqual({ street: 'Main Street', crossing: 'Second Avenue' });
    expect(await find(placeAt(1010, 3500))).toEqual({ street: 'First Avenue', crossing: null });
    expect(await find(placeAt(3500, 500))).toBeUndefined();
    expect(await find({ latitude: 89.9, longitude: 180 })).toBeUndefined();
  });

  test('the schema of OpenMapTiles; of two files the later one; a file that is replaced while the server runs', async () => {
    const old = write('old.pmtiles', pmTiles([tileOf([line('Old Road', [[0, 100], [4096, 100]])])], ['roads'], '')); // prettier-ignore
    const other = pmTiles([tileOf([line('Other Road', [[0, 100], [4096, 100]])], 'transportation_name')], ['x'], ''); // prettier-ignore
    const find = createStreetFinder([old, write('new.pmtiles', other)], silentLog);
    expect(await find(placeAt(50, 90))).toEqual({ street: 'Other Road', crossing: null });
    write('new.pmtiles', pmTiles([tileOf([line('A Third Road of another length', [[0, 100], [4096, 100]])])], ['roads'], '')); // prettier-ignore
    expect(await find(placeAt(50, 90))).toEqual({ street: 'A Third Road of another length', crossing: null });
  });

  test('a file of 60 GB is read in parts', async () => {
    const path = write('large.pmtiles', pmTiles([tileOf([line('Main Street', [[0, 2000], [4096, 2000]])])], ['roads'], '')); // prettier-ignore
    // Without contents on the disk.
    truncateSync(path, 60 * 2 ** 30);
    expect(await createStreetFinder([path], silentLog)(placeAt(1100, 1990))).toEqual({ street: 'Main Street', crossing: null });
  });

  test('a file that is cut, gone, or of a zoom without streets says nothing; the log says so once', async () => {
    const said: unknown[] = [];
    const log = { ...silentLog, warn: (fields: object) => void said.push(fields) };
    const cut = write('cut.pmtiles', pmTiles([tileOf([line('Main', [[0, 0], [9, 9]])])], ['roads'], '')); // prettier-ignore
    truncateSync(cut, 200);
    const world = write(
      'world.pmtiles',
      pmTilesOfWorld(vectorTile({ earth: [{ kind: 'polygon', corners: WHOLE_TILE }] }), ['earth']),
    );
    const find = createStreetFinder([world, cut, join(folder, 'gone.pmtiles')], log);
    for (let call = 0; call < 3; call += 1) expect(await find(placeAt(1, 1))).toBeUndefined();
    expect(said).toHaveLength(2);
  });
});
