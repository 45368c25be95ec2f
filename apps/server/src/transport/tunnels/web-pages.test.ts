import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../testing/call.ts';
import {
  requestByName,
  openRemoteFixture,
  type NamedResponse,
  type NamedRequest,
  type RemoteFixture,
  type Way,
} from '../../testing/remote-fixture.ts';

// A router's web page through the server. The test itself serves the page, so that it can inspect the requests.

let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture();
});
afterAll(() => fixture.close());

/** A device with this web page. */
async function pageOf(listener: RequestListener): Promise<{ device: Awaited<ReturnType<RemoteFixture['scripted']>>; way: Way }> {
  const http = createServer(listener);
  const live = new WebSocketServer({ server: http, path: '/live' });
  live.on('connection', (socket) => socket.on('message', (data) => socket.send(`received ${(data as Buffer).toString()}`)));
  const device = await fixture.scripted({ service: (socket: Socket) => void http.emit('connection', socket) });
  return { device, way: await fixture.open(device, 'gui') };
}

const ask = ({ url }: Pick<Way, 'url'>, path: string, { headers, ...more }: NamedRequest = {}) =>
  requestByName(new URL(path, url).href, headers, more);

const visitorOf = ({ headers }: NamedResponse) => /highline_visitor=[^;]+/u.exec(headers['set-cookie']!.join(' '))![0];

test('RMT-07-partial a page under an unguessable name is forwarded in both directions, completely, with its WebSocket', async () => {
  const { way, device } = await pageOf((incoming, response) => {
    if (incoming.method === 'GET') return response.end(`page ${incoming.url}`);
    return incoming.pipe(response.writeHead(201, { 'x-own': 'yes' }));
  });
  const { hostname, port, protocol } = new URL(way.url);
  expect([hostname, protocol]).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.localhost$/u), 'http:']);
  expect(way.port).toBe(Number(port));
  expect(await ask(way, '/a/b?c=d')).toMatchObject({ status: 200, text: 'page /a/b?c=d' });
  const large = 'x'.repeat(3_000_000);
  const echoed = await ask(way, '/', { method: 'POST', body: large });
  expect([echoed.status, echoed.headers['x-own'], echoed.text === large]).toEqual([201, 'yes', true]);

  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { host: `${hostname}:${port}` } });
  await once(socket, 'open');
  socket.send('you');
  const [received] = (await once(socket, 'message')) as [Buffer];
  expect(received.toString()).toBe('received you');
  const closed = once(socket, 'close');
  await fixture.cancel(device);
  await closed;
  const gone = await ask(way, '/', { headers: { 'accept-language': 'zh-TW' } });
  expect([gone.status, gone.text]).toEqual([410, expect.stringContaining('此連線已結束')]);
});

test('the router receives no headers of ours or hop-by-hop headers; the browser limits cookies to this host and sends no referrer', async () => {
  let seen: IncomingHttpHeaders = {};
  const { way } = await pageOf((incoming, response) => {
    seen = incoming.headers;
    response.writeHead(200, {
      'set-cookie': ['sid=1; Domain=localhost; Path=/; HttpOnly', 'other=2; domain\t = .example.com'],
      'clear-site-data': '"cookies"',
      'content-security-policy': "default-src 'none'",
      'referrer-policy': 'unsafe-url',
      'keep-alive': 'timeout=9',
    });
    response.end();
  });
  const first = await ask(way, '/');
  expect(first.headers['set-cookie']!.slice(0, 2)).toEqual(['sid=1; Path=/; HttpOnly', 'other=2']);
  expect(first.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'content-security-policy': "default-src 'none'" });
  expect(first.headers['clear-site-data']).toBeUndefined();
  expect(first.headers['strict-transport-security'] ?? first.headers['cross-origin-opener-policy']).toBeUndefined();
  await ask(way, '/', {
    headers: {
      cookie: `sid=1; ${visitorOf(first)}; other=2`,
      connection: 'close, x-secret',
      'x-secret': 'hop',
      'x-forwarded-for': '192.0.2.7',
      te: 'trailers',
    },
  });
  expect(seen).toMatchObject({ cookie: 'sid=1; other=2', host: new URL(way.url).host, 'x-forwarded-proto': 'http' });
  for (const name of ['x-secret', 'x-forwarded-for', 'te']) expect(seen[name]).toBeUndefined();
});

test('RMT-07-partial a cookie that a page of another router sets for the whole domain takes no place of the own one', async () => {
  let seen: string | undefined;
  const { way } = await pageOf((incoming, response) => {
    seen = incoming.headers.cookie;
    const cookies = incoming.url === '/sign-in' ? ['sid=own; Path=/; HttpOnly', 'sid=deep; Path=/admin', 'lang=zh'] : [];
    response.writeHead(200, { 'set-cookie': cookies });
    response.end();
  });
  const sent = async (cookie: string) => {
    await ask(way, '/', { headers: { cookie } });
    return seen;
  };
  const before = 'sid=theirs; theme=dark; sid=other';
  expect(await sent(before)).toBe(before);
  await ask(way, '/sign-in');
  // Whichever comes first.
  expect(await sent('sid=theirs; theme=dark; sid=own')).toBe('theme=dark; sid=own');
  expect(await sent('sid=own; theme=dark; sid=theirs')).toBe('sid=own; theme=dark');
  expect(await sent('sid=deep; sid=theirs; sid=own')).toBe('sid=deep; sid=own');
  // What a script of the page sets, also in place of what the router set.
  expect(await sent('sid=own; lang=en; theme=dark')).toBe('sid=own; lang=en; theme=dark');
});

test('no name under the domain shows the console or accepts a call, and another site cannot write anything', async () => {
  let written = 0;
  const { way } = await pageOf((incoming, response) => {
    if (incoming.method === 'POST') written++;
    response.end('the router');
  });
  const { port } = new URL(way.url);
  const unrelated = { url: `http://${'0'.repeat(32)}.localhost:${port}/` };
  for (const path of ['/', '/livez', '/openapi.json', '/data_manager/v1/events'])
    expect((await ask(unrelated, path)).status, path).toBe(410);
  expect((await ask(way, '/livez')).text).toBe('the router');
  expect((await ask({ url: fixture.server.url }, '/livez')).text).toContain('alive');
  const rejected = await ask(way, '/', { method: 'POST', headers: { origin: 'https://evil.test' } });
  expect([rejected.status, written]).toEqual([403, 0]);
  expect((await ask(way, '/', { method: 'POST', headers: { origin: new URL(way.url).origin } })).status).toBe(200);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, {
    headers: { host: new URL(way.url).host },
    origin: 'https://evil.test',
  });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  expect(response.statusCode).toBe(403);
});

test('a page that breaks off, and a router that rejects the connection, show a clear message', async () => {
  const { way, device } = await pageOf((incoming, response) => {
    if (incoming.url === '/half') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      response.socket!.destroySoon();
    } else if (incoming.url === '/switch')
      incoming.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: mine\r\n\r\n');
    else incoming.socket.destroy();
  });
  const broken = await ask(way, '/');
  const switched = await ask(way, '/switch');
  expect([switched.status, switched.text]).toEqual([502, expect.stringContaining('The router cannot be reached')]);
  expect([broken.status, broken.text]).toEqual([502, expect.stringContaining('The router cannot be reached')]);
  await expect(ask(way, '/half')).rejects.toThrow(/aborted/u);
  device.router.cutTunnel();
  await until(async () => (await fixture.endsOf(device))[0] === 'tunnel-lost');
  expect((await ask(way, '/')).status).toBe(410);
});

test('a limited number of requests is forwarded at once', async () => {
  const held: (() => void)[] = [];
  const { way } = await pageOf((_incoming, response) => held.push(() => response.end('done')));
  const under = Array.from({ length: 16 }, () => ask(way, '/'));
  await until(() => held.length === 16);
  expect((await ask(way, '/')).status).toBe(503);
  for (const release of held.splice(0)) release();
  expect((await Promise.all(under)).map(({ text }) => text)).toEqual(Array.from({ length: 16 }, () => 'done'));
});
