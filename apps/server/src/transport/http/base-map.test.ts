import { mkdirSync, mkdtempSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pmTilesOfWorld, vectorTile, WHOLE_TILE } from '../../testing/map-files.ts';
import { send, until } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-map-'));
const file = join(folder, 'tiles', 'world 1.pmtiles');
const content = pmTilesOfWorld(vectorTile({ earth: [{ kind: 'polygon', corners: WHOLE_TILE }] }), ['earth']);
let server: TestServer;
let bearer: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'tiles'));
  mkdirSync(join(folder, 'console'));
  writeFileSync(join(folder, 'console', 'index.html'), '<!doctype html>');
  writeFileSync(file, content);
  writeFileSync(join(folder, 'tiles', 'notes.txt'), 'not served');
  server = await startTestServer({
    consoleFolder: join(folder, 'console'),
    environment: {
      MAP_STYLE_URL: 'https://maps.example.com/style.json?key=1',
      MAP_ORIGINS: 'https://tiles.example.com, https://maps.example.com',
      MAP_TILES: join(folder, 'tiles'),
    },
  });
  const { scope } = await server.seeding.mainAccount('Maps');
  bearer = await server.seeding.bearer(await server.seeding.account(scope, 'maps@highline.invalid', 'main'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const get = async (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { cookie: `vap=${bearer}`, ...headers } });

async function tileAddress(): Promise<string> {
  const { result } = (await (await get('/console/map')).json()) as { result: { tiles: string[] } };
  return result.tiles[0]!;
}

test('POS-03-partial the content policy allows exactly the origins of the operator, for requests and nothing else', async () => {
  const policy = (await get('/')).headers.get('content-security-policy')!;
  const directives = new Map(policy.split(';').map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)]));
  expect(directives.get('connect-src')).toEqual(["'self'", 'https://maps.example.com', 'https://tiles.example.com']);
  directives.delete('connect-src');
  expect([...directives.values()].flat().filter((source) => /example|\*|unsafe-eval/u.test(source))).toEqual([]);
});

test('RPM-06-partial the page of a link reads the map with its token, while the link is live', async () => {
  const main = await server.seeding.mainAccount('Sharing');
  const organization = await server.seeding.organization(main.scope, 'Sharing');
  const person = await server.seeding.account(main.scope, 'sharing@highline.invalid', 'main');
  const made = await send(`${server.url}/data_manager/v1/dm/links`, {
    bearer: await server.seeding.bearer(person),
    body: { org: organization.organizationId, group: 'default+group+id', showsNames: false, hours: 1 },
  });
  const { token, result } = made.json<{ token: string; result: { id: string } }>();
  const status = async (link: string, path = '/console/map') =>
    (await fetch(server.url + path, { headers: { authorization: `Link ${link}`, range: 'bytes=0-9' } })).status;
  expect([await status(token), await status(token, await tileAddress())]).toEqual([200, 206]);
  expect(await status('unknown')).toBe(401);
  await server.owner.query(`update links set ended_at = now(), end_reason = 'revoked' where id = $1`, [result.id]);
  await until(async () => (await status(token)) === 401);
});

test('POS-03-partial a console learns the style and the files; both need a session', async () => {
  const response: unknown = await (await get('/console/map')).json();
  expect(response).toEqual({
    result: {
      style: 'https://maps.example.com/style.json?key=1',
      tiles: [expect.stringMatching(/^\/console\/map\/world%201\.pmtiles\?v=[\da-z]+-[\da-z]+$/u)],
    },
  });
  for (const path of ['/console/map', await tileAddress()]) {
    expect((await fetch(server.url + path)).status).toBe(401);
    expect((await get(path, { cookie: 'vap=wrong' })).status).toBe(401);
  }
});

test('POS-03-partial ranges of a PMTiles file are answered, nothing else of the disk, and no endless answer', async () => {
  const address = await tileAddress();
  const part = await get(address, { range: 'bytes=7-20' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 7-20/${content.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(7, 21));
  const end = await get(address, { range: 'bytes=100-16383' });
  expect(Buffer.from(await end.arrayBuffer())).toEqual(content.subarray(100));
  expect(end.headers.get('etag')).toBe(part.headers.get('etag'));

  const size = content.length;
  for (const range of ['', `bytes=${size}-${size}`, 'bytes=9-8', 'bytes=-5', 'bytes=0-1,3-4', 'bytes=0-1e9']) {
    const rejected = await get(address, range === '' ? {} : { range });
    expect([range, rejected.status]).toEqual([range, 416]);
  }
  for (const name of ['notes.txt', '..%2Ftiles%2Fworld%201.pmtiles', '%2Fetc%2Fpasswd', '%00', 'world%201.pmtiles%00'])
    expect([name, (await get(`/console/map/${name}`, { range: 'bytes=0-9' })).status]).toEqual([name, 404]);

  // A file that was replaced has another address; one that was removed is not there.
  truncateSync(file, 9 * 1_048_576);
  expect(await tileAddress()).not.toBe(address);
  expect((await get(address, { range: 'bytes=0-8388607' })).status).toBe(206);
  expect((await get(address, { range: 'bytes=0-8388608' })).status).toBe(416);
  unlinkSync(file);
  expect((await get(address, { range: 'bytes=0-9' })).status).toBe(404);
  writeFileSync(file, content);
});
