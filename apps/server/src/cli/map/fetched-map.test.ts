import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { places } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pmTiles, type TileFeature, vectorTile } from '../../testing/map-files.ts';
import { send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { run } from '../run.ts';

const ZOOM = 14;
/** In Des Moines, of which the shipped map has no streets. */
const HERE = { latitude: 41.5868, longitude: -93.625 };
const size = 2 ** ZOOM;
const X = Math.floor(((HERE.longitude + 180) / 360) * size);
const sine = Math.sin((HERE.latitude * Math.PI) / 180);
const Y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size);
/** 'latitude,longitude' of a point of that tile. */
function pointAt(x: number, y: number): string {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (Y + y / 4096)) / size))) * 180) / Math.PI;
  return `${latitude.toFixed(5)},${(((X + x / 4096) / size) * 360 - 180).toFixed(5)}`;
}
const road = (name: string, corners: TileFeature['corners']): TileFeature => ({
  kind: 'line',
  corners,
  properties: { name, kind: 'major_road' },
});

let folder: string;
let files: Server;
let server: TestServer | undefined;
/** A file of the planet: this tile, and those of other places. */
let planet: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-fetched-'));
  const streets = [road('Grand Avenue', [[0, 2000], [4096, 2000]]), road('Fifth Avenue', [[1000, 0], [1000, 4096]])]; // prettier-ignore
  const others = Array.from({ length: 50 }, (_, index) => ({
    zoom: ZOOM,
    x: 100 + index,
    y: 200,
    content: vectorTile({ roads: streets }),
  }));
  planet = pmTiles([...others, { zoom: ZOOM, x: X, y: Y, content: vectorTile({ roads: streets }) }], ['roads'], '');
  files = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/u.exec(request.headers.range ?? '') ?? [];
    const part = planet.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, { etag: '"1"', 'content-length': part.length }).end(part);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await server?.close();
  files.close();
  await rm(folder, { recursive: true, force: true });
});

/** The descriptions of places, of a server with these settings; its organization has a geofence. */
async function describeWith(environment: Record<string, string>, at: readonly string[]): Promise<places.Place[]> {
  await server?.close();
  server = await startTestServer({ environment });
  const { scope: main } = await server.seeding.mainAccount('Main');
  const own = await server.seeding.organization(main, 'Own');
  const bearer = await server.seeding.bearer(await server.seeding.account(own, 'a@highline.invalid', 'admin'));
  const shape = { kind: 'circle', latitude: 41.7, longitude: -93.625, radius: 100 };
  const made = await send(`${server.url}/data_manager/v1/dm/geofences`, { bearer, body: { name: 'North yard', shape } });
  expect(made.status, made.text).toBe(200);
  const described = await send(`${server.url}/data_manager/v1/dm/places?at=${at.join(';')}`, { bearer });
  expect(described.status, described.text).toBe(200);
  return described.json<{ result: places.Place[] }>().result;
}

test('SAY-07 an operator gets a region with one line, and its streets describe places; without it the shipped map does in the cities of the demo, and else a geofence or a town', async () => {
  const to = join(folder, 'iowa.pmtiles');
  const address = `http://127.0.0.1:${(files.address() as AddressInfo).port}/planet.pmtiles`;
  let printed = '';
  const code = await run(['map', 'fetch', '--from', address, '--box=-93.7,41.5,-93.5,41.7', '--to', to], {
    environment: {},
    out: (text) => (printed += text),
    err: (text) => (printed += text),
  });
  expect([code, printed]).toEqual([0, expect.stringMatching(/has 1 tiles.*Start Highline with MAP_TILES=.*iowa\.pmtiles/su)]);
  const at = [pointAt(1200, 1990), '41.97626,-87.68672', '41.72,-93.625', '25.04,121.56', '0,-30'];
  const [fetched] = await describeWith({ MAP_TILES: to }, at);
  expect(fetched).toEqual({
    street: 'Grand Avenue',
    crossing: 'Fifth Avenue',
    near: expect.objectContaining({ kind: 'geofence', name: 'North yard', direction: 's' }) as unknown,
  });
  expect(await describeWith({}, at)).toEqual([
    { street: null, crossing: null, near: { ...fetched!.near } },
    expect.objectContaining({ street: 'Foster Avenue', crossing: 'Western Avenue' }),
    {
      street: null,
      crossing: null,
      near: { kind: 'geofence', name: 'North yard', chinese: null, metres: expect.closeTo(2_124, -2) as number, direction: 'n' },
    },
    { street: null, crossing: null, near: expect.objectContaining({ kind: 'town', name: 'Taipei' }) as unknown },
    { street: null, crossing: null, near: null },
  ]);
});
