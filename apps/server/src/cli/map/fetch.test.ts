import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTileFile } from '../../domains/places/index.ts';
import { pmTiles, vectorTile } from '../../testing/map-files.ts';
import { run } from '../run.ts';

// A file server on this machine that answers ranges, as those of maps do.

let folder: string;
let server: Server;
let address: string;
let source: Buffer;
/** Bytes that the server has sent. */
let sent = 0;
/** Which file it has, and whether it answers ranges. */
let answer: { content: Buffer; hasRanges: boolean };

/** Streets of a world of 4 zooms, each tile with the name of its place. */
const nameOf = (zoom: number, x: number, y: number) =>
  `${zoom}/${x}/${y} ${createHash('sha256').update(`${zoom} ${x} ${y}`).digest('hex').repeat(20)}`;
const tiles = [0, 3, 5, 7].flatMap((zoom) =>
  Array.from({ length: 4 ** zoom }, (_, index) => {
    const [x, y] = [index % 2 ** zoom, Math.floor(index / 2 ** zoom)];
    const street = { kind: 'line', corners: [[0, 0], [9, 9]], properties: { name: nameOf(zoom, x, y) } } as const; // prettier-ignore
    return { zoom, x, y, content: vectorTile({ roads: [street] }) };
  }),
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-map-'));
  source = pmTiles(tiles, ['roads'], 'Survey');
  answer = { content: source, hasRanges: true };
  server = createServer((request, response) => {
    const { content, hasRanges } = answer;
    const [, from, to] = /^bytes=(\d+)-(\d+)$/u.exec(request.headers.range ?? '') ?? [];
    if (!hasRanges || from === undefined) return void response.writeHead(200).end(content);
    const part = content.subarray(Number(from), Number(to) + 1);
    if (part.length === 0) return void response.writeHead(416).end();
    sent += part.length;
    return void response.writeHead(206, { etag: '"1"', 'content-length': part.length }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/planet.pmtiles`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function fetchRegion(name: string, box: string, more: readonly string[] = []) {
  const printed = { out: '', err: '' };
  const line = ['map', 'fetch', '--from', address, `--box=${box}`, '--to', join(folder, name), ...more];
  const code = await run(line, {
    environment: {},
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}
const contentOf = async (name: string, zoom: number, x: number, y: number) => {
  const tile = await openTileFile(join(folder, name)).tile(zoom, x, y);
  return tile && Buffer.from(tile).includes(nameOf(zoom, x, y)) ? 'that of its place' : tile;
};

describe('SAY-07-partial the map of a region from a file of the planet', () => {
  test('it has every tile of the region in all zooms, none outside of it, and only its part was read', async () => {
    sent = 0;
    const { code, out } = await fetchRegion('city.pmtiles', '-88.3,41.5,-87.4,42.2');
    expect([code, out.trim().split('\n').at(-1)]).toEqual([
      0,
      expect.stringMatching(/has \d+ tiles, 0\.\d MiB\. Start Highline with MAP_TILES=.*city\.pmtiles$/u),
    ]);
    for (const [zoom, x, y] of [
      [0, 0, 0],
      [3, 2, 2],
      [5, 8, 11],
      [7, 32, 47],
    ] as const)
      // prettier-ignore
      expect(await contentOf('city.pmtiles', zoom, x, y), `${zoom}`).toBe('that of its place');
    expect(await contentOf('city.pmtiles', 7, 100, 47)).toBeUndefined();
    expect(sent).toBeLessThan(source.length / 2);
    expect((await stat(join(folder, 'city.pmtiles'))).size).toBeLessThan(source.length / 20);
  });

  test('a large region has leaves of directories, and can be the source of a smaller one', async () => {
    expect((await fetchRegion('half.pmtiles', '-180,-85,10,85')).code).toBe(0);
    answer = { content: await readFile(join(folder, 'half.pmtiles')), hasRanges: true };
    expect((await fetchRegion('part.pmtiles', '-88.3,41.5,-87.4,42.2', ['--zoom', '5'])).code).toBe(0);
    expect(await contentOf('part.pmtiles', 5, 8, 11)).toBe('that of its place');
    expect(await contentOf('part.pmtiles', 7, 32, 47)).toBeUndefined();
    expect((await fetchRegion('east.pmtiles', '100,10,101,11', ['--zoom', '7'])).code).toBe(0);
    expect(await contentOf('east.pmtiles', 7, 99, 60)).toBeUndefined();
    answer = { content: source, hasRanges: true };
  });

  test('a file that cannot be written is said in one line', async () => {
    const { code, err } = await fetchRegion('missing/city.pmtiles', '-88.3,41.5,-87.4,42.2', ['--zoom', '3']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^highline: .*missing\/city\.pmtiles could not be saved: ENOENT[^\n]*\n$/u),
    ]);
  });

  test.each([
    ['a server without ranges', () => ({ content: source, hasRanges: false }), 'does not answer ranges'],
    [
      'a file that is cut',
      () => ({ content: source.subarray(0, source.length - 5_000_000), hasRanges: true }),
      'is not complete',
    ],
    ['a file of another kind', () => ({ content: Buffer.alloc(5_000, 'x'), hasRanges: true }), 'no PMTiles file'],
    ['a damaged directory', () => ({ content: Buffer.concat([source.subarray(0, 127), Buffer.alloc(100_000)]), hasRanges: true }), 'damaged'], // prettier-ignore
  ])('%s says what is wrong and leaves no file', async (_, broken, why) => {
    answer = broken();
    const { code, err } = await fetchRegion('none.pmtiles', '100,-80,170,-10');
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
    answer = { content: source, hasRanges: true };
  });

  test.each(['1,2,3', '10,0,5,1', '0,0,1,95', 'a,b,c,d', '-200,0,1,1'])('the box %s is explained', async (box) => {
    expect(await fetchRegion('x.pmtiles', box)).toMatchObject({ code: 2, err: expect.stringContaining('west,south,east,north') });
  });
});
