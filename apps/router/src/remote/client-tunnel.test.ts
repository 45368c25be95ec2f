import { once } from 'node:events';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlarms } from '../platform/alarms.ts';
import { dialTcp } from '../platform/dial-tcp.ts';
import { parseArpTable } from '../platform/machine-lan.ts';
import type { LanHost, Networks } from '../platform/platform.ts';
import { createTestHost, type TestHost } from '../testing/remote-host.ts';
import { TunnelCloud } from '../testing/tunnel-cloud.ts';
import { createBareRouter } from '../testing/view.ts';
import { RemoteAccess } from './remote-access.ts';
import type { ClientTarget } from './remote-control.ts';

const { view } = createBareRouter();
const simulated = view.platform.networks!;
const printer = simulated.hosts().find(({ name }) => name === 'ticket-printer')!;
const camera = simulated.hosts().find(({ name }) => name === 'camera-recorder')!;

let cloud: TunnelCloud;
let host: TestHost;
let access: RemoteAccess;
let changes: Partial<Networks>;

beforeEach(async () => {
  changes = {};
  const networks = new Proxy(simulated, {
    get: (target, name) => changes[name as keyof Networks] ?? target[name as keyof Networks],
  });
  const platform = { ...view.platform, networks };
  cloud = await TunnelCloud.start();
  host = createTestHost({ router: { ...view, platform, alarms: createAlarms(platform) } });
  access = new RemoteAccess(host);
});

afterEach(async () => {
  access.end('the test is over', false);
  await cloud.stop();
});

const target = ({ mac, address }: LanHost, port = 80): ClientTarget => ({ mac, address, port });

const open = (service: ClientTarget) =>
  access.open({ address: cloud.address, user: 's-1', secret: cloud.secret, hostKey: cloud.fingerprint, service });

async function openTo(service: ClientTarget): Promise<void> {
  expect(open(service)).toBeUndefined();
  await host.noted(`a tunnel to ${service.address} port ${service.port} is open`);
}

async function get(
  path: string,
  more: { method?: string; cookie?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const channel = await cloud.connect();
  const { method = 'GET', cookie } = more;
  const headers = { host: 'camera', ...(cookie === undefined ? {} : { cookie }) };
  const outgoing = requestHttp({ createConnection: () => channel, path, method, headers }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode!, headers: response.headers, text };
}

describe('devices of the vehicle through a tunnel', () => {
  it('LIV-08-partial the page of a device is reached, with its cookies', async () => {
    await openTo(target(printer));
    expect(cloud.forwards).toEqual(['client']);
    expect((await get('/')).text).toContain('<h1>Ticket printer</h1>');
    const printed = await get('/print', { method: 'POST' });
    expect([printed.status, printed.headers.location]).toEqual([303, '/']);
    expect((await get('/', { cookie: printed.headers['set-cookie']![0]! })).text).toContain('<dt>Test tickets</dt><dd>1</dd>');
    expect((await get('/nothing')).status).toBe(404);
    // Nothing but the client that it was opened for.
    await expect(cloud.connect('ssh')).rejects.toThrow('Channel open failure');
    access.close('s-1');
    await cloud.until(() => cloud.openCount === 0);
  });

  it('LIV-08-partial the router rejects what is no device of the vehicle, and says why', () => {
    const inLan = printer.address;
    for (const [address, port, fault] of [
      ['127.0.0.1', 80, "127.0.0.1 is no device of the vehicle's network"],
      ['192.168.1.1', 80, "192.168.1.1 is no device of the vehicle's network"],
      ['169.254.169.254', 80, "169.254.169.254 is no device of the vehicle's network"],
      ['0.0.0.0', 80, "0.0.0.0 is no device of the vehicle's network"],
      ['255.255.255.255', 80, "255.255.255.255 is no device of the vehicle's network"],
      ['192.168.1.255', 80, "192.168.1.255 is outside the vehicle's network"],
      ['192.168.2.10', 80, "192.168.2.10 is outside the vehicle's network"],
      ['8.8.8.8', 53, "8.8.8.8 is outside the vehicle's network"],
      ['fd00::1', 80, 'IPAddress must be an IPv4 address'],
      ['fe80::1%eth0', 80, 'IPAddress must be an IPv4 address'],
      ['::ffff:127.0.0.1', 80, 'IPAddress must be an IPv4 address'],
      ['127.1', 80, 'IPAddress must be an IPv4 address'],
      ['localhost', 80, 'IPAddress must be an IPv4 address'],
      [inLan, 0, 'Port must be from 1 to 65535'],
      [inLan, 65_536, 'Port must be from 1 to 65535'],
      [inLan, Number.NaN, 'Port must be from 1 to 65535'],
      [camera.address, 80, `${printer.mac} has another address now`],
    ] as const)
      expect(open({ mac: printer.mac, address, port })).toBe(fault);
    expect(open({ mac: '00:1B:54:00:00:00', address: inLan, port: 80 })).toBe('00:1B:54:00:00:00 is not connected');
    expect(cloud.openCount).toBe(0);
  });

  it('LIV-08-partial its own modem address is no device, even where the masks overlap', () => {
    const modem = view.platform.modem.identity().imsi.slice(-6);
    const own = `10.${Number(modem.slice(0, 2)) + 20}.${Number(modem.slice(2, 4))}.${Number(modem.slice(4))}`;
    changes = {
      lan: () => ({ address: '10.0.0.1', mask: '255.0.0.0' }),
      hosts: () => [{ ...printer, address: own }],
    };
    expect(open({ mac: printer.mac, address: own, port: 80 })).toBe(`${own} is no device of the vehicle's network`);
  });

  it('LIV-08-partial a device that has another address meanwhile ends the tunnel at the next connection', async () => {
    await openTo(target(printer));
    changes = {
      hosts: () => [
        { ...printer, address: '192.168.1.77' },
        { ...camera, address: printer.address },
      ],
    };
    await expect(cloud.connect()).rejects.toThrow('No response from server');
    await host.noted(`ended: ${printer.mac} has another address now`);
    await cloud.until(() => cloud.openCount === 0);
  });

  it('LIV-08-partial a port that is closed, and one that never answers, are rejections of the connection alone', async () => {
    await openTo(target(printer, 81));
    await expect(cloud.connect()).rejects.toThrow('Channel open failure');
    const dialled = Promise.withResolvers<void>();
    changes = {
      dial: (_address, _port, signal) => {
        dialled.resolve();
        return new Promise<Duplex>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        });
      },
    };
    const silent = cloud.connect();
    silent.catch(() => undefined);
    await dialled.promise;
    host.scheduler.advance(10_000);
    await expect(silent).rejects.toThrow('Channel open failure');
    expect(cloud.openCount).toBe(1);
  });
});

describe('bytes between the cloud and a device', () => {
  const sockets = new Set<Socket>();
  let server: Server;

  const serve = async (take: (socket: Socket) => void): Promise<void> => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      take(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    changes = { dial: (_address, _port, signal) => dialTcp('127.0.0.1', port, signal) };
    await openTo(target(printer, 5_000));
  };
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('LIV-08-partial 50 MB arrive whole, and slowly read ones do not fill the router', async () => {
    const chunk = Buffer.alloc(1_048_576, 'x');
    await serve((socket) => {
      let left = 50;
      const more = () => {
        while (left > 0) {
          left -= 1;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
        socket.end();
      };
      more();
    });
    let bytes = 0;
    for await (const part of await cloud.connect()) bytes += (part as Buffer).length;
    expect(bytes).toBe(50 * 1_048_576);
  });

  it('LIV-08-partial a device that leaves ends its connection, not the tunnel', async () => {
    await serve((socket) => void socket.write('hello'));
    const channel = await cloud.connect();
    await once(channel, 'data');
    const closed = once(channel, 'close');
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
    expect(cloud.openCount).toBe(1);
  });
});

it('LIV-08-partial hosts next to the machine are read from the table of its kernel', () => {
  const table = `IP address       HW type     Flags       HW address            Mask     Device
192.168.77.10    0x1         0x2         02:00:00:aa:bb:01     *        lan0
192.168.77.11    0x1         0x0         00:00:00:00:00:00     *        lan0
10.0.0.1         0x1         0x2         02:00:00:aa:bb:02     *        eth0

`;
  expect(parseArpTable(table, 'lan0')).toMatchObject([{ mac: '02:00:00:AA:BB:01', address: '192.168.77.10', radio: 0 }]);
});
