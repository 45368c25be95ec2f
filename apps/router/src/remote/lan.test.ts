import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMac } from '../identity.ts';
import type { RouterHandle } from '../router.ts';
import { startAgent } from '../start.ts';
import { TestController } from '../testing/controller.ts';
import { TunnelCloud } from '../testing/tunnel-cloud.ts';

// A real device in a network namespace, behind a router whose vehicle's network is a real interface of this machine.

const NAMESPACE = `hl-device-${process.pid}`;
const LAN = `hl${process.pid}`.slice(0, 15);
// Of its own for each process: several may run this at once.
const NETWORK = `172.${16 + (process.pid % 16)}.${(process.pid >> 4) % 256}`;
const ROUTER = `${NETWORK}.1`;
const DEVICE = `${NETWORK}.10`;
const MAC = '02:00:00:AA:BB:01';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** Why this machine has no network namespaces; undefined: it has. */
function findObstacle(): string | undefined {
  try {
    ip('netns', 'add', NAMESPACE);
    ip('link', 'add', LAN, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', NAMESPACE);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0] : 'unknown';
  }
}

const obstacle = findObstacle();
if (obstacle !== undefined) process.stderr.write(`Skipped: network namespaces need root and iproute2 (${obstacle}).\n`);

describe.skipIf(obstacle !== undefined)('a device in a network namespace behind the router', () => {
  let device: ChildProcess;
  let controller: TestController;
  let cloud: TunnelCloud;
  let router: RouterHandle;

  beforeAll(async () => {
    ip('addr', 'add', `${ROUTER}/24`, 'dev', LAN);
    ip('link', 'set', LAN, 'up');
    const inside = (...args: string[]) => ip('-n', NAMESPACE, ...args);
    inside('link', 'set', 'eth0', 'address', MAC);
    inside('addr', 'add', `${DEVICE}/24`, 'dev', 'eth0');
    inside('link', 'set', 'lo', 'up');
    inside('link', 'set', 'eth0', 'up');
    const program = fileURLToPath(new URL('../testing/lan-device.ts', import.meta.url));
    device = spawn('ip', ['netns', 'exec', NAMESPACE, process.execPath, program, ROUTER], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(device.stdout!, 'data');
    controller = await TestController.start();
    cloud = await TunnelCloud.start();
    router = startAgent({
      server: controller.url,
      lan: LAN,
      router: { serial: 'HL-0001', mac: makeMac(1), secret: 'x', model: 'HL-500' },
    });
    await controller.until(() => controller.connects.length > 0);
  });
  afterAll(async () => {
    await router?.stop();
    await Promise.all([controller?.stop(), cloud?.stop()]);
    device?.kill('SIGKILL');
    ip('netns', 'del', NAMESPACE);
  });

  /** @returns what is wrong, undefined when a tunnel opens */
  const open = async (target: { address?: string; mac?: string; port?: number } = {}): Promise<string | undefined> => {
    const { address = DEVICE, mac = MAC, port = 80 } = target;
    const inputArgs = new Map([
      ['Address', cloud.address],
      ['User', 's-1'],
      ['Secret', cloud.secret],
      ['HostKey', cloud.fingerprint],
      ['MACAddress', mac],
      ['IPAddress', address],
      ['Port', String(port)],
    ]);
    const command = 'Device.X_HIGHLINE_OpenClientTunnel()';
    const request = { type: 'operate', command, commandKey: '', sendResp: true, inputArgs } as const;
    const forwards = cloud.forwards.length;
    const { operationResults } = await controller.request(router.endpointId, request);
    const result = operationResults[0]?.result;
    if (result?.type === 'cmd_failure') return result.errMsg;
    await cloud.until(() => cloud.forwards.length > forwards);
    return undefined;
  };

  const get = async (path: string): Promise<IncomingMessage> => {
    const channel = await cloud.connect();
    const outgoing = requestHttp({ createConnection: () => channel, path, headers: { host: 'device' } }).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  };

  it('LIV-08-partial its web server is reached, with several windows of a channel, and sees the router alone', async () => {
    expect(await open()).toBeUndefined();
    let text = '';
    for await (const part of await get('/')) text += String(part);
    expect(text).toContain(`seen from ::ffff:${ROUTER}`);
    let bytes = 0;
    for await (const part of await get('/large')) bytes += (part as Buffer).length;
    expect(bytes).toBe(8 * 1_048_576);
  });

  it('LIV-08-partial its SSH server signs in a user by its own password', async () => {
    expect(await open({ port: 22 })).toBeUndefined();
    const client = await cloud.signIn('pi', 'raspberry');
    const output = await new Promise<string>((resolve, reject) => {
      client.exec('uptime', (error, channel) => {
        if (error) reject(error);
        else channel.on('data', (data: Buffer) => resolve(data.toString()));
      });
    });
    expect(output).toBe('ran uptime');
    client.end();
    await expect(cloud.signIn('pi', 'wrong')).rejects.toThrow('authentication methods failed');
  });

  it('LIV-08-partial a closed port, the router itself and what is no host of it are not reached', async () => {
    expect(await open({ port: 81 })).toBeUndefined();
    await expect(cloud.connect()).rejects.toThrow('Channel open failure');
    expect(await open({ address: ROUTER })).toBe(`${ROUTER} is no device of the vehicle's network`);
    expect(await open({ address: `${NETWORK}.11` })).toBe(`${MAC} has another address now`);
    expect(await open({ mac: '02:00:00:AA:BB:02' })).toBe('02:00:00:AA:BB:02 is not connected');
  });

  it('LIV-08-partial a device that leaves during a session is not reached any more, and one that has another address ends it', async () => {
    expect(await open()).toBeUndefined();
    const endless = await get('/endless');
    endless.on('error', () => undefined);
    await once(endless, 'data');
    ip('-n', NAMESPACE, 'addr', 'del', `${DEVICE}/24`, 'dev', 'eth0');
    ip('neigh', 'flush', 'dev', LAN);
    ip('neigh', 'replace', `${NETWORK}.99`, 'lladdr', MAC, 'dev', LAN, 'nud', 'reachable');
    await expect(cloud.connect()).rejects.toThrow('No response from server');
    await cloud.until(() => cloud.openCount === 0);
  });
});
