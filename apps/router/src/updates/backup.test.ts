import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeMac } from '../identity.ts';
import type { RouterHandle } from '../router.ts';
import type { RouterView } from '../model/definition.ts';
import { createModel } from '../model/model.ts';
import { text } from '../model/params.ts';
import { routerObjects } from '../model/tree.ts';
import { readBackup, writeBackup } from '../settings/backup-file.ts';
import { type StartOptions, startAgent } from '../start.ts';
import { createMemoryStore } from '../state/store.ts';
import { TestController } from '../testing/controller.ts';
import { sha256 } from '../testing/images.ts';

const ROUTER = { serial: 'HL-0001', mac: makeMac(1), secret: 's', model: 'HL-500', firmware: '2.1.0', config: 'city.json' };
const CONFIG = 'Device.DeviceInfo.VendorConfigFile.1.';
const SSID = 'Device.WiFi.SSID.1.';

let controller: TestController;
let router: RouterHandle;
let server: Server;
/** What was uploaded, and is downloaded. */
let file: Buffer;
/** Answers to uploads before one is accepted. */
let statuses: number[];

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return void response.end(file);
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const status = statuses.shift() ?? 204;
  if (status === 204) file = Buffer.concat(parts);
  response.writeHead(status).end();
}

beforeEach(async () => {
  controller = await TestController.start();
  statuses = [];
  file = Buffer.alloc(0);
  server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await router.stop();
  await controller.stop();
  server.closeAllConnections();
  server.close();
});

/** @param callHomeMs in which the router has to reach the cloud with what was restored */
async function start(callHomeMs = 60_000, more: Partial<StartOptions> = {}): Promise<void> {
  const backoff = { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 };
  router = startAgent({
    server: controller.url,
    router: { ...ROUTER, forwardsOn: '127.0.0.1' },
    timing: { bootMs: 10, graceMs: 5, callHomeMs, retryMs: 2, backoff },
    ...more,
  });
  await controller.until(() => controller.connects.includes(router.endpointId));
  await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
}

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;

async function get(path: string): Promise<string | undefined> {
  const { reqPathResults } = await controller.request(router.endpointId, { type: 'get', paramPaths: [path], maxDepth: 0 });
  return reqPathResults[0]?.resolvedPathResults[0]?.resultParams.values().next().value;
}

/** Resolves when it is online after a power cut. */
async function restart(): Promise<void> {
  const connects = controller.connects.length;
  router.powerCut(0);
  await controller.until(() => controller.connects.length > connects);
}

async function setName(value: string): Promise<void> {
  const updateObjs = [{ objPath: SSID, paramSettings: [{ param: 'SSID', value, required: true }] }];
  await controller.request(router.endpointId, { type: 'set', allowPartial: false, updateObjs });
}

/** Run a command. @returns how it ended: '' = success */
async function run(name: string, commandKey: string, args: Record<string, string>): Promise<string> {
  const inputArgs = new Map(Object.entries({ URL: url(), ...args }));
  await controller.request(router.endpointId, { type: 'operate', command: CONFIG + name, commandKey, sendResp: true, inputArgs });
  const ends = () =>
    controller
      .of('ends')
      .flatMap(({ notification: n }) => (n.type === 'oper_complete' && n.commandKey === commandKey ? [n] : []));
  await controller.until(() => ends().length > 0);
  const { result } = ends()[0]!;
  return result.type === 'cmd_failure' ? result.errMsg : '';
}

const restore = (key: string) =>
  run('Restore()', key, {
    FileSize: String(file.length),
    CheckSumAlgorithm: 'SHA-256',
    CheckSum: sha256(file),
    TargetFileName: 'city.json',
  });

describe('TPL-06-partial a backup of the router', () => {
  it('TPL-06-partial is uploaded, and brings settings and config file back', async () => {
    await start();
    await setName('Bus "7" – 車');
    statuses = [503];
    expect(await run('Backup()', 'b', {})).toBe('');
    const text = file.toString('utf8');
    expect(text).toContain(`${SSID}SSID = ${JSON.stringify('Bus "7" – 車')}\n`);
    expect(text).not.toMatch(/LocalAgent|Users/u);
    await setName('changed');
    const restored = restore('r');
    // It is kept once the router has answered the cloud over the connection that it opens with it.
    await controller.until(() => controller.connects.filter((each) => each === router.endpointId).length === 2);
    await get(`${SSID}SSID`);
    expect(await restored).toBe('');
    expect(await get(`${SSID}SSID`)).toBe('Bus "7" – 車');
    expect(await get(`${CONFIG}Name`)).toBe('city.json');
    await run('Backup()', 'again', {});
    expect(file.toString('utf8')).toBe(text);
  });

  it('TPL-06-partial with which it does not reach the cloud is replaced by what was there before', async () => {
    await start(150);
    await setName('before');
    const config = { name: 'city.json', version: '9', description: '', text: 'server.offline = true\n' };
    file = Buffer.from(writeBackup({ rows: { [SSID]: { SSID: 'unreachable' } }, config }));
    expect(await restore('r')).toMatch(/^did-not-call-home/u);
    expect(await get(`${SSID}SSID`)).toBe('before');
  });

  it('TPL-06-partial is not uploaded again to a server that said no, nor restored when it is no backup', async () => {
    await start();
    statuses = [404];
    expect(await run('Backup()', 'b', {})).toBe('the server answered 404');
    expect(await run('Backup()', 'c', { URL: 'ftp://example.com/x' })).toBe('URL must be http or https');
    file = Buffer.from('# router backup 1\nDevice.LocalAgent.EndpointID = "x"\n');
    expect(await restore('r')).toContain('line 2 is no setting');
  });

  it.each([
    ['Device.NAT.PortMapping.1.ExternalPort', '99999', 'not between 0 and 65535'],
    ['Device.NAT.PortMapping.1.Enable', 'maybe', 'not a value of type BOOLEAN'],
    ['Device.NAT.PortMapping.x.Enable', 'true', 'not an object of this router'],
    ['Device.WiFi.SSID.1.Ssid', 'x', 'not a parameter of this object'],
    ['Device.WiFi.SSID.1.Status', 'Up', 'the parameter is read-only'],
  ])('TPL-06-partial with a value that the router does not take is not restored: %s = %s', async (name, value, reason) => {
    await start();
    await setName('before');
    const forwarded = { Enable: 'true', ExternalPort: '80', InternalClient: '192.168.1.9', InternalPort: '80' };
    const backup = writeBackup({ rows: { 'Device.NAT.PortMapping.1.': forwarded }, config: null });
    file = Buffer.from(`${backup}${name} = ${JSON.stringify(value)}\n`);
    expect(await restore('r')).toBe(`installation-failed: line 6, ${name}: ${reason}`);
    expect(await get(`${SSID}SSID`)).toBe('before');
    await restart();
    expect(await get(`${SSID}SSID`)).toBe('before');
  });

  it('TPL-06-partial that the router cannot apply is replaced by what was there before, and the router starts again', async () => {
    const read = (router: RouterView) => {
      if (router.row(SSID)?.['SSID'] === 'breaks') throw new Error('the radio does not respond');
      return '';
    };
    const model = createModel([...routerObjects, { path: 'Device.Test.', params: { Value: text(read) } }]);
    await start(60_000, { model });
    await controller.subscribe(router.endpointId, 'test', 'ValueChange', 'Device.Test.Value');
    await setName('before');
    file = Buffer.from(writeBackup({ rows: { [SSID]: { SSID: 'breaks' } }, config: null }));
    expect(await restore('r')).toBe('installation-failed: the radio does not respond');
    // A request of the cloud, which would keep what is on trial.
    expect(await get(`${SSID}SSID`)).toBe('before');
    await restart();
    expect(await get(`${SSID}SSID`)).toBe('before');
  });

  it('TPL-06-partial with which the router cannot start is replaced by what was there before after some starts', async () => {
    let starts = false;
    const read = (from: RouterView) => {
      if (starts && from.row(SSID)?.['SSID'] === 'breaks') throw new Error('the radio does not respond');
      return '';
    };
    const model = createModel([...routerObjects, { path: 'Device.Test.', params: { Value: text(read) } }]);
    await start(60_000, { model });
    await controller.subscribe(router.endpointId, 'test', 'ValueChange', 'Device.Test.Value');
    await setName('before');
    const config = { name: 'city.json', version: '9', description: '', text: 'server.offline = true\n' };
    file = Buffer.from(writeBackup({ rows: { [SSID]: { SSID: 'breaks' } }, config }));
    const restored = restore('r');
    await controller.until(() => controller.openCount === 0);
    starts = true;
    await restart();
    expect(await restored).toMatch(/^did-not-call-home/u);
    expect(await get(`${SSID}SSID`)).toBe('before');
  });

  it('TPL-06-partial that an older version restored with a wrong port does not keep the router from starting', async () => {
    const forwarded = { Enable: 'true', ExternalPort: '99999', InternalClient: '192.168.1.9', InternalPort: '80' };
    const store: StartOptions['store'] = (_router, factory) =>
      createMemoryStore({ ...factory, rows: { 'Device.NAT.PortMapping.1.': forwarded } });
    await start(60_000, { store });
    expect(await get('Device.NAT.PortMapping.1.Status')).toBe('Disabled');
  });

  it('TPL-03-partial that was changed by hand and cannot be read names the line and the parameter, and never the secret', async () => {
    await start();
    const key = 'Device.WiFi.AccessPoint.1.Security.KeyPassphrase';
    const wrong = [`${key} = hunter2`, `${key}: "hunter2"`, `Device.Other. = "hunter2"`, '# config file {"name":"hunter2"}'];
    const ends: string[] = [];
    for (const line of wrong) {
      file = Buffer.from(`# router backup 1\n${SSID}SSID = "a"\n${line}\n`);
      ends.push(await restore(line));
    }
    expect(ends).toEqual([
      `installation-failed: line 3, ${key}, has no value in quotes`,
      'installation-failed: line 3 is no setting',
      'installation-failed: line 3 is no setting',
      'installation-failed: line 3, version of the config file, has no value in quotes',
    ]);
  });
});

it('TPL-06-partial the text of a backup is read as it was written', () => {
  const rows = { 'Device.NAT.PortMapping.3.': { Alias: 'a = b', Enable: 'true' }, 'Device.Time.': { LocalTimeZone: '' } };
  const config = { name: 'c', version: 'v', description: 'd', text: '# config file\r\nx = 1' };
  const read = (text: string) => readBackup(text, (_path, name, value) => ({ stored: { [name]: value } }));
  expect(read(writeBackup({ rows, config }))).toEqual({ rows, config });
  expect(read(writeBackup({ rows: { ...rows, 'Device.Users.User.1.': { Password: 'p' } }, config: null }))).toEqual({
    rows,
    config: null,
  });
  expect(read('apn = fleet\n')).toBeUndefined();
});
