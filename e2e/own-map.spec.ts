import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { onWorldTile, pmTilesOfWorld, squareGlyphs, vectorTile, WHOLE_TILE } from '@highline/testkit/map-files';
import { startTestServer, type TestServer } from '@highline/testkit/test-server';
import type { Page } from '@playwright/test';
import { root } from '../scripts/toolchain.mjs';
import { enter, expect, expectAccessible, TAKES_PICTURES, test } from './fixtures.ts';
import { type Color, drawn, pixelsOf, withWebGl } from './maps.ts';

test.use({ ...withWebGl, expectedNotes: [/Content Security Policy|violates the following|layers\[0\]\.type/u] });

const LAND = [0xf8, 0xf8, 0xf5] as const;
const WATER = [0xdb, 0xe7, 0xf1] as const;
const ROAD = [0xa9, 0xb2, 0xbf] as const;
const ONLINE = [0x12, 0xa8, 0x66] as const;
const OFFLINE = [0xe5, 0x48, 0x4d] as const;
// Of the operator's style.
const GROUND = [0xf3, 0xe2, 0xc7] as const;
const FOREST = [0x2f, 0x6f, 0x4f] as const;
const SIGN = [0xff, 0x00, 0xaa] as const;
const LETTER = [0x10, 0x10, 0xc0] as const;
const hex = (color: Color) => `#${Buffer.from(color).toString('hex')}`;

/** A picture of one colour. */
function png(size: number, color: Color): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: size }, () => Buffer.from(color))]);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface MapServer {
  readonly url: string;
  /** Paths that were requested. */
  readonly requests: string[];
  /** Answers by path; a path without one is a 404. */
  readonly files: Map<string, Buffer | string>;
  close(): Promise<void>;
}

/** An HTTP server of an origin of its own. */
async function startMapServer(): Promise<MapServer> {
  const files = new Map<string, Buffer | string>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const found = files.get(path);
    response.writeHead(found === undefined ? 404 : 200, { 'access-control-allow-origin': '*' }).end(found);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    files,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const BUS = [-87.63, 41.88] as const;
const east = (longitude: number) => onWorldTile(longitude, 0)[0];
const north = (latitude: number) => onWorldTile(0, latitude)[1];
/** A part east of Chicago is something else, in tiles of the whole world. */
const eastern = [
  [east(-87.55), 0],
  [4096, 0],
  [4096, 4096],
  [east(-87.55), 4096],
] as const;

/** Tiles, glyphs and pictures are on another origin than the style. */
const styleOf = (origin: string, trees = origin) => ({
  version: 8,
  glyphs: `${origin}/fonts/{fontstack}/{range}.pbf`,
  sprite: `${origin}/sprite`,
  sources: {
    land: { type: 'vector', tiles: [`${origin}/land/{z}/{x}/{y}`], maxzoom: 0 },
    trees: { type: 'vector', tiles: [`${trees}/trees/{z}/{x}/{y}`], maxzoom: 0 },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': hex(GROUND) } },
    { id: 'forest', type: 'fill', source: 'trees', 'source-layer': 'forest', paint: { 'fill-color': hex(FOREST) } },
    {
      id: 'signs',
      type: 'symbol',
      source: 'land',
      'source-layer': 'signs',
      layout: {
        'icon-image': 'sign',
        'icon-allow-overlap': true,
        'text-field': ['get', 'name'],
        'text-font': ['Square'],
        'text-offset': [0, 2],
        'text-allow-overlap': true,
      },
      paint: { 'text-color': hex(LETTER) },
    },
  ],
});

/** Violations of the content policy in the page, from now on. */
async function watchPolicy(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('noteViolation', (what: string) => violations.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      (window as unknown as { noteViolation: (what: string) => void }).noteViolation(`${violatedDirective} ${blockedURI}`);
    });
  });
  return violations;
}

test('POS-03 the shipped map needs no other server; an operator’s style and PMTiles file are drawn, the content policy allows just their origins, and without them the shipped map is there', async ({
  page,
  tenant,
}) => {
  const [styles, tiles, other] = [await startMapServer(), await startMapServer(), await startMapServer()] as const;
  const folder = await mkdtemp(join(tmpdir(), 'highline-own-map-'));
  const world = vectorTile({
    earth: [{ kind: 'polygon', corners: WHOLE_TILE }],
    water: [{ kind: 'polygon', corners: eastern }],
    roads: [{ kind: 'line', corners: [[0, north(BUS[1])], [4096, north(BUS[1])]], properties: { kind: 'highway' } }], // prettier-ignore
  });
  const archive = join(folder, 'world.pmtiles');
  await writeFile(archive, pmTilesOfWorld(world, ['roads', 'water', 'earth']));
  const sign = onWorldTile(-87.8, 41.88);
  tiles.files.set('/land/0/0/0', vectorTile({ signs: [{ kind: 'point', corners: [sign], properties: { name: 'AAA' } }] }));
  tiles.files.set('/trees/0/0/0', vectorTile({ forest: [{ kind: 'polygon', corners: eastern }] }));
  tiles.files.set('/fonts/Square/0-255.pbf', squareGlyphs('Square'));
  const sprite = JSON.stringify({ sign: { x: 0, y: 0, width: 24, height: 24, pixelRatio: 1 } });
  for (const [path, content] of [['/sprite.json', sprite], ['/sprite.png', png(24, SIGN)]] as const) tiles.files.set(path, content); // prettier-ignore
  styles.files.set('/style.json', JSON.stringify(styleOf(tiles.url)));

  const server = await startTestServer({
    consoleFolder: join(root, 'apps/console/dist'),
    environment: { MAP_STYLE_URL: `${styles.url}/style.json`, MAP_ORIGINS: tiles.url, MAP_TILES: archive },
  });
  const violations = await watchPolicy(page);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && ![tenant.server.url, server.url, styles.url, tiles.url].includes(origin))
      elsewhere.push(request.url());
  });
  const seen = (color: Color) => expect.poll(() => pixelsOf(page, drawn(page), color));
  try {
    // As it is shipped: nothing but our own server is needed.
    const [bus] = await tenant.routers(1);
    await placeBus(tenant.owner, bus!.serial);
    await enter(page, tenant.users.admin, '/map');
    await seen(LAND).toBeGreaterThan(20_000);
    await seen(WATER).toBeGreaterThan(5_000);
    expect([violations, elsewhere, styles.requests, tiles.requests]).toEqual([[], [], [], []]);

    // The operator's style, with its tiles, glyphs and pictures from another origin.
    const admin = await adminOf(server);
    await page.goto(`${server.url}/map?id=${admin.id}&vap=${admin.bearer}`);
    await expect(drawn(page)).toBeVisible();
    await seen(GROUND).toBeGreaterThan(50_000);
    await seen(FOREST).toBeGreaterThan(20_000);
    await seen(SIGN).toBeGreaterThan(300);
    await seen(LETTER).toBeGreaterThan(150);
    await expect.poll(async () => (await pixelsOf(page, drawn(page), OFFLINE)) + (await pixelsOf(page, drawn(page), ONLINE))).toBeGreaterThan(50); // prettier-ignore
    expect(violations).toEqual([]);
    await expect(page.locator('.vehicle-map__notice')).toHaveCount(0);
    await expectAccessible(page);
    const policy = (await page.request.get(`${server.url}/map`)).headers()['content-security-policy'];
    expect(policy).toContain(`connect-src 'self' ${styles.url} ${tiles.url};`);
    if (TAKES_PICTURES) await page.screenshot({ path: 'test-results/screens/own-map-style.png' });

    // Tiles of an origin that is not in the settings are not loaded, and the map says that something is missing.
    styles.files.set('/style.json', JSON.stringify(styleOf(tiles.url, other.url)));
    await page.reload();
    await expect(page.getByText('Parts of your own map could not be loaded.')).toBeVisible();
    await seen(SIGN).toBeGreaterThan(300);
    expect(other.requests).toEqual([]);
    expect(violations.filter((each) => !each.startsWith(`connect-src ${other.url}`))).toEqual([]);
    elsewhere.length = 0;

    // A style that is none, is not there, or whose server is down: the shipped map with the operator's file, and a sentence.
    const faults = [
      () => styles.files.set('/style.json', JSON.stringify({ ...styleOf(tiles.url), layers: [{ id: 'x', type: 'cloud' }] })),
      () => styles.files.set('/style.json', '<html>'),
      () => styles.files.delete('/style.json'),
      async () => styles.close(),
    ];
    for (const fault of faults) {
      await fault();
      await page.reload();
      await expect(page.getByText('Your own map could not be loaded. The built-in map is shown.')).toBeVisible();
      await expect(drawn(page)).toBeVisible();
    }
    await seen(LAND).toBeGreaterThan(20_000);
    await seen(WATER).toBeGreaterThan(20_000);
    await seen(ROAD).toBeGreaterThan(500);
    if (TAKES_PICTURES) await page.screenshot({ path: 'test-results/screens/own-map-tiles.png' });
    expect(elsewhere).toEqual([]);

    // Without the file too, the outlines are there.
    await rm(archive);
    await page.reload();
    await expect(drawn(page)).toBeVisible();
    await seen(LAND).toBeGreaterThan(20_000);
    await seen(ROAD).toBeLessThan(400);
  } finally {
    await server.close();
    await Promise.all([tiles.close(), other.close()]);
    await rm(folder, { recursive: true });
  }
});

/** Put a vehicle in the middle of Chicago. */
async function placeBus(owner: TestServer['owner'], serial: string): Promise<void> {
  await owner.query(
    `with owned as (update router_ownership set owned_from = now() - interval '1 day'
       where router_id = (select router_id from devices where serial = $1) returning router_id)
     insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
     select router_id, now(), $2, $3, false, now() from owned`,
    [serial, BUS[1], BUS[0]],
  );
  await owner.query("update devices set presence = 'online' where serial = $1", [serial]);
}

/** An admin of an organization with a vehicle, with a session. */
async function adminOf({ seeding, owner }: TestServer): Promise<{ id: string; bearer: string }> {
  const { scope: main } = await seeding.mainAccount('Own map');
  const organization = await seeding.organization(main, 'Maps');
  const router = { serial: 'OWN-MAP-1', mac: '00B2D0F1B001' };
  await seeding.routers(main, [router]);
  await seeding.devices(organization, [router]);
  await placeBus(owner, router.serial);
  const id = await seeding.account(organization, 'map@highline.example', 'admin');
  return { id, bearer: await seeding.bearer(id) };
}
