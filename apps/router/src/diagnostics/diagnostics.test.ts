import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeMac } from '../identity.ts';
import type { RouterHandle } from '../router.ts';
import { startAgent } from '../start.ts';
import { TestController } from '../testing/controller.ts';

const ROUTER = { serial: 'HL-0001', mac: makeMac(1), secret: 's', model: 'HL-500', firmware: '2.1.0' };

interface Uploaded {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contents: Buffer;
}

let controller: TestController;
let router: RouterHandle;
let server: Server;
let uploads: Uploaded[];
let nameServer: Socket;

beforeEach(async () => {
  controller = await TestController.start();
  router = startAgent({ server: controller.url, router: ROUTER, timing: { bootMs: 10, graceMs: 5 } });
  await controller.until(() => controller.connects.includes(router.endpointId));
  await controller.subscribe(router.endpointId, 'ends', 'OperationComplete', 'Device.');
  uploads = [];
  server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(Buffer.alloc(100_000));
    void receive(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  nameServer = createSocket('udp4');
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
});
afterEach(async () => {
  await router.stop();
  await controller.stop();
  server.closeAllConnections();
  server.close();
  nameServer.close();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const contents = await bodyOf(request);
  uploads.push({ path: request.url ?? '', authorization: request.headers.authorization, contents });
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** Run a command and wait for its end. */
async function run(command: string, args: Record<string, string>, meanwhile?: () => Promise<unknown>) {
  const inputArgs = new Map(Object.entries(args));
  const before = controller.of('ends').length;
  const request = { type: 'operate' as const, command, commandKey: command, sendResp: true, inputArgs };
  const { operationResults } = await controller.request(router.endpointId, request);
  expect(operationResults[0]?.result.type).toBe('req_obj_path');
  await meanwhile?.();
  await controller.until(() => controller.of('ends').length > before);
  const { notification } = controller.of('ends').at(-1)!;
  if (notification.type !== 'oper_complete') throw new Error(notification.type);
  const { result } = notification;
  const outputs: Record<string, string> =
    result.type === 'req_output_args' ? Object.fromEntries(result.outputArgs) : { fault: result.errMsg };
  return outputs;
}

describe('diagnostics of TR-181', () => {
  it.each([
    ['IPv4', '127.0.0.1'],
    ['IPv6', '::1'],
  ])('LIV-04-partial IPPing() reaches a host over %s', async (version, host) => {
    const outputs = await run('Device.IP.Diagnostics.IPPing()', {
      Host: host,
      ProtocolVersion: version,
      NumberOfRepetitions: '3',
    });
    expect(outputs).toMatchObject({ Status: 'Complete', IPAddressUsed: host, SuccessCount: '3', FailureCount: '0' });
    expect(Number(outputs['MaximumResponseTimeDetailed'])).toBeGreaterThanOrEqual(Number(outputs['MinimumResponseTimeDetailed']));
  });

  it('LIV-04-partial IPPing() says that a name has no address of the version, and rejects wrong arguments', async () => {
    const ping = 'Device.IP.Diagnostics.IPPing()';
    expect(await run(ping, { Host: '127.0.0.1', ProtocolVersion: 'IPv6' })).toEqual({ Status: 'Error_CannotResolveHostName' });
    expect(await run(ping, { Host: '-rf /' })).toEqual({ fault: 'Host is no host name or address' });
    expect(await run(ping, { Host: '::1', NumberOfRepetitions: '101' })).toEqual({
      fault: 'NumberOfRepetitions must be from 1 to 100',
    });
  });

  it('LIV-04-partial TraceRoute() lists the hops to a host', async () => {
    const outputs = await run('Device.IP.Diagnostics.TraceRoute()', { Host: '127.0.0.1', NumberOfTries: '2' });
    expect(outputs).toMatchObject({ Status: 'Complete', 'RouteHops.1.HostAddress': '127.0.0.1' });
    expect(outputs['RouteHops.1.RTTimes']).toMatch(/^\d+,\d+$/u);
  });

  it('LIV-04-partial NSLookupDiagnostics() asks the given server, and says when it is silent', async () => {
    const lookup = 'Device.DNS.Diagnostics.NSLookupDiagnostics()';
    const args = { HostName: 'depot.example', DNSServer: `127.0.0.1:${nameServer.address().port}`, Timeout: '50' };
    expect(await run(lookup, args)).toMatchObject({ SuccessCount: '0', 'Result.1.Status': 'Error_Timeout' });
    nameServer.on('message', (question, { port, address }) => nameServer.send(answerTo(question), port, address));
    expect(await run(lookup, { ...args, Timeout: '5000', NumberOfRepetitions: '2' })).toMatchObject({
      Status: 'Complete',
      SuccessCount: '2',
      'Result.2.Status': 'Success',
      'Result.2.HostNameReturned': 'depot.example',
      'Result.2.IPAddresses': '192.0.2.7',
    });
  });

  it('LIV-05-partial DownloadDiagnostics() and UploadDiagnostics() transfer the bytes, which the modem counts', async () => {
    const counted = async (name: string) => {
      const path = `Device.Cellular.Interface.1.Stats.${name}`;
      const { reqPathResults } = await controller.request(router.endpointId, { type: 'get', paramPaths: [path], maxDepth: 0 });
      return Number(reqPathResults[0]!.resolvedPathResults[0]!.resultParams.get(name));
    };
    const before = [await counted('BytesReceived'), await counted('BytesSent')] as const;
    const down = await run('Device.IP.Diagnostics.DownloadDiagnostics()', { DownloadURL: url('/file') });
    expect(down).toMatchObject({ Status: 'Complete', TestBytesReceived: '100000', IPAddressUsed: '127.0.0.1' });
    expect(Date.parse(down['EOMTime']!)).toBeGreaterThanOrEqual(Date.parse(down['BOMTime']!));
    const up = await run('Device.IP.Diagnostics.UploadDiagnostics()', { UploadURL: url('/up'), TestFileLength: '70000' });
    expect(up).toMatchObject({ Status: 'Complete', TestBytesSent: '70000' });
    expect(uploads.map(({ path, contents }) => [path, contents.length])).toEqual([['/up', 70_000]]);
    expect(await counted('BytesReceived')).toBeGreaterThanOrEqual(before[0] + 100_000);
    expect(await counted('BytesSent')).toBeGreaterThanOrEqual(before[1] + 70_000);
  });

  it('LIV-06-partial PacketCaptureDiagnostics() uploads its own traffic as a capture file', async () => {
    const args = { FileTarget: url('/capture'), Username: 'me', Password: 'secret', Duration: '1', ByteCount: '10000' };
    const version = { type: 'get' as const, paramPaths: ['Device.DeviceInfo.SoftwareVersion'], maxDepth: 0 };
    const outputs = await run('Device.PacketCaptureDiagnostics()', args, () => controller.request(router.endpointId, version));
    const { contents, authorization } = uploads[0]!;
    expect(outputs).toMatchObject({ Status: 'Complete' });
    expect(authorization).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`);
    const packets = packetsOf(contents);
    expect(packets).toHaveLength(Number(outputs['PacketCaptureResult.1.Count']));
    expect(packets.length).toBeGreaterThan(1);
    const ports = packets.map((packet) => [packet.readUInt16BE(20), packet.readUInt16BE(22)]);
    expect(ports.every((pair) => pair.includes(controller.port))).toBe(true);
    expect(packets.some((packet) => packet.includes('Device.DeviceInfo.SoftwareVersion'))).toBe(true);
    expect(await run('Device.PacketCaptureDiagnostics()', { ...args, FilterExpression: 'port 22' })).toEqual({
      fault: 'FilterExpression is not supported by this router',
    });
  });

  it('LIV-06-partial VendorLogFile.{i}.Upload() sends the events since the start', async () => {
    expect(await run('Device.DeviceInfo.VendorLogFile.1.Upload()', { URL: url('/log') })).toEqual({});
    expect(uploads[0]?.contents.toString()).toContain('link: connected to the cloud');
  });
});

/** An A record for any question of that type, no record for others. */
function answerTo(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const isAddress = question.readUInt16BE(end - 4) === 1;
  const header = Buffer.from(question.subarray(0, end));
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(isAddress ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
  return isAddress ? Buffer.concat([header, record]) : header;
}

/** IP packets of a capture file with the raw link type. */
function packetsOf(file: Buffer): Buffer[] {
  expect([file.readUInt32LE(0), file.readUInt32LE(20)]).toEqual([0xa1_b2_c3_d4, 101]);
  const packets: Buffer[] = [];
  for (let at = 24; at < file.length; at += 16 + file.readUInt32LE(at + 8)) {
    packets.push(file.subarray(at + 16, at + 16 + file.readUInt32LE(at + 8)));
  }
  return packets;
}
