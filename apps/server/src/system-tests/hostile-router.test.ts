import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMac, routerEndpointId } from '@highline/usp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDemoRouters, ask, send, signInToDemo } from '../testing/call.ts';
import { startServerProcess, until, type ServerProcess } from '../testing/process.ts';
import { RemoteRouter, type RemoteRouterOptions } from '../testing/remote-router.ts';

// A whole server in a separate process, which a fault would end or block, and misbehaving routers.

let folder: string;
let server: ServerProcess;
let main: string;
let admin: string;
let org: string;
const routers: RemoteRouter[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-hostile-'));
  server = await startServerProcess(folder, 30);
  main = (await signInToDemo(server.url, 'main')).vap;
  admin = (await signInToDemo(server.url, 'admin')).vap;
  const services = await ask<{ list: { id: string }[] }>(`${server.url}/dmp_aa/api/v1/services/`, { bearer: admin });
  org = services.list[0]!.id;
});

afterAll(async () => {
  await Promise.all(routers.map((router) => router.stop()));
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const post = (path: string, bearer: string, body: object) =>
  send(`${server.url}/data_manager/v1/dm/${path}`, { bearer, body: { org, ...body } });

/** Add, claim and connect a misbehaving router. @returns its serial number */
async function connectRouter(number: number, more: Partial<RemoteRouterOptions>): Promise<string> {
  const [serial, mac] = [`HOST${1000 + number}`, makeMac(0xbad000 + number)];
  const { secrets } = await addDemoRouters(server.url, { main, admin }, [{ serial, mac }]);
  const endpointId = routerEndpointId(mac.slice(0, 6), serial);
  routers.push(new RemoteRouter({ url: server.url, secret: secrets.get(serial)!, endpointId, ...more }));
  return serial;
}

async function isOnline(serial: string): Promise<boolean> {
  const url = `${server.url}/data_manager/v1/dm/devices?search=${serial}&field=serial&limit=5`;
  const { result } = (await send(url, { bearer: admin })).json<{ result: { presence: string; model: string | null }[] }>();
  return result[0]?.presence === 'online' && result[0].model !== null;
}

/** Connect to the web page of a router. @returns its address */
async function openPage(serial: string): Promise<URL> {
  const opened = await post('cmds/connectDevice', admin, { serial, type: 'gui' });
  expect(opened.status, opened.text).toBe(200);
  expect((await post('cmds/getOneTimeSecret', admin, { serial, type: 'gui' })).status).toBe(200);
  return new URL(opened.json<{ url: string }>().url);
}

async function visit({ host, port }: URL): Promise<number> {
  const visited = request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false });
  visited.end();
  const [response] = (await once(visited, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

test('a web page of a router that answers with a status unknown to HTTP is "cannot be reached", and the server keeps running', async () => {
  const serial = await connectRouter(1, { greeting: 'HTTP/1.1 042 Odd\r\nContent-Length: 5\r\n\r\nhello' });
  await until(() => isOnline(serial));
  const page = await openPage(serial);
  expect(await visit(page)).toBe(502);
  expect(await visit(page)).toBe(502);
  expect((await send(`${server.url}/livez`)).status).toBe(200);
});

test('a value of 900,000 dots blocks nothing: its router comes online, and calls are answered', async () => {
  const dots = `${'.'.repeat(900_000)}x`;
  const serial = await connectRouter(2, { values: new Map([['Device.DeviceInfo.ActiveFirmwareImage', dots]]) });
  await until(() => isOnline(serial));
  expect((await send(`${server.url}/livez`)).status).toBe(200);
});
