import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestAuthority } from '../../../testing/certificates.ts';
import { startCallReceiver, type CallReceiver } from '../../../testing/call-receiver.ts';
import type { HostResolver, WebCaller } from '../../ports/web-caller.ts';
import { createResolver } from './resolver.ts';
import { createWebCaller, type WebCallerSettings } from './web-caller.ts';

let receiver: CallReceiver;
const callers: WebCaller[] = [];

beforeEach(async () => {
  receiver = await startCallReceiver();
});
afterEach(async () => {
  for (const caller of callers.splice(0)) await caller.close();
  await receiver.close();
});

/** A caller that may call loopback, unless it says otherwise. */
function open(settings: Partial<WebCallerSettings> = {}): WebCaller {
  const caller = createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1', '::1/128'], ...settings });
  callers.push(caller);
  return caller;
}
const post = (caller: WebCaller, url = receiver.url) =>
  caller.post({ owner: 'own', url, headers: { 'x-test': 'yes' }, body: '{"a":1}' });
/** A resolver that answers with these lists of addresses, one after another. */
function responses(...lists: (readonly string[])[]): HostResolver & { readonly requested: string[] } {
  const requested: string[] = [];
  return {
    requested,
    async resolve(host) {
      requested.push(host);
      return lists.length > 1 ? lists.shift()! : lists[0]!;
    },
  };
}

const NO_HTTP = 'The answer is not valid HTTP.';
const CLOSED = 'The connection was closed before there was an answer.';

const REJECTED = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'fec0::1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:0:1::1',
  'ff02::1',
];

describe('HKS-01 where webhooks are sent', () => {
  test.each(REJECTED)('HKS-01-partial %s is rejected as an address, and as what a name leads to', async (address) => {
    const caller = open({ allowedNetworks: [], resolver: responses([address]) });
    const literal = `http://${address.includes(':') ? `[${address}]` : address}:${receiver.port}/`;
    expect(caller.faultOf(literal)).toContain('not an address on the internet');
    expect(await post(caller, literal)).toMatchObject({ status: null, fault: expect.stringContaining('not an address') });
    const named = `http://hooks.example.com:${receiver.port}/`;
    expect(caller.faultOf(named)).toBeUndefined();
    expect(await post(caller, named)).toMatchObject({ status: null, fault: expect.stringContaining('not an address') });
    expect(receiver.calls).toEqual([]);
  });

  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://[::ffff:7f00:1]/',
  ])('HKS-01-partial %s is 127.0.0.1 written differently', (url) => {
    expect(open({ allowedNetworks: [] }).faultOf(url)).toContain('not an address on the internet');
  });

  test.each([
    ['https://example.com/a?b=c', undefined],
    ['https://example.com:8443/', undefined],
    ['https://8.8.8.8/', undefined],
    ['https://[2606:4700::1111]/', undefined],
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'web address'],
    ['javascript:alert(1)', 'web address'],
    ['example.com', 'web address'],
    ['https://user:pw@example.com/', 'user name'],
    ['https://example.com:25/', 'Port 25'],
    ['https://example.com:22/', 'Port 22'],
    ['https://example.com:6667/', 'Port 6667'],
    ['https://example.com:0/', 'Port 0'],
  ])('HKS-01-partial the address %s has the fault %s', (url, fault) => {
    const found = open({ allowsHttp: false, allowedNetworks: [] }).faultOf(url);
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(fault);
  });

  test('HKS-01-partial one rejected address among several rejects the name', async () => {
    const caller = open({ allowedNetworks: ['127.0.0.1'], resolver: responses(['127.0.0.1', '10.0.0.1']) });
    expect(await post(caller, `http://two.example.com:${receiver.port}/`)).toMatchObject({ status: null });
    expect(receiver.calls).toEqual([]);
  });

  test('HKS-01-partial a name that leads elsewhere a moment later is checked where the connection is made', async () => {
    // Only 127.0.0.1 is allowed: the second answer is a private address.
    const resolver = responses(['127.0.0.1'], ['127.0.0.2']);
    const caller = open({ allowedNetworks: ['127.0.0.1'], resolver });
    receiver.respond((response) => response.writeHead(204, { connection: 'close' }).end());
    const url = `http://rebound.example.com:${receiver.port}/`;
    expect(await post(caller, url)).toMatchObject({ status: 204 });
    expect(await post(caller, url)).toMatchObject({ status: null, fault: expect.stringContaining('127.0.0.2') });
    // Resolved once for each connection, and never between the check and the connection.
    expect(resolver.requested).toEqual(['rebound.example.com', 'rebound.example.com']);
    expect(receiver.calls).toHaveLength(1);
    expect(receiver.calls[0]!.headers['host']).toBe(`rebound.example.com:${receiver.port}`);
  });

  test.each([
    ['of the operating system', createResolver()],
    ['of the tests', responses(['127.0.0.1', '::1'])],
  ])('HKS-01-partial a resolver %s finds the addresses of a name', async (_, resolver) => {
    const found = await resolver.resolve('localhost', new AbortController().signal);
    expect(found.length).toBeGreaterThan(0);
    for (const address of found) expect(['127.0.0.1', '::1']).toContain(address);
  });

  test('HKS-01-partial a name that does not exist is a plain sentence', async () => {
    const { status, fault } = await post(open({ resolver: createResolver() }), 'http://nowhere.invalid/');
    expect([status, fault]).toEqual([null, expect.stringMatching(/^The(?:| host) .*name .*|^This host name does not exist\./u)]);
  });

  test('HKS-01-partial the certificate must be of the name in the address, although the connection is made to an address', async () => {
    const authority = await createTestAuthority('Own');
    const tls = await authority.issue({ isServer: true });
    const secure = await startCallReceiver({ tls });
    const own = open({ ca: authority.cert, allowsHttp: false, resolver: responses(['127.0.0.1']) });
    expect(await post(own, secure.url)).toMatchObject({ status: 204 });
    expect(await post(own, `https://localhost:${secure.port}/`)).toMatchObject({ status: 204 });
    const other = await post(own, `https://other.example.com:${secure.port}/`);
    expect([other.status, other.fault]).toEqual([null, expect.stringContaining('certificate')]);
    const untrusting = await post(open({ resolver: responses(['127.0.0.1']) }), secure.url);
    expect([untrusting.status, untrusting.fault]).toEqual([null, expect.stringContaining('certificate')]);
    expect(secure.calls).toHaveLength(2);
    await secure.close();
  });
});

describe('HKS-01 receivers as they are', () => {
  test('HKS-01-partial an answer is read to 4 KB, and an endless one is cut off', async () => {
    const caller = open();
    receiver.respond((response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    const { status, text, took } = await post(caller);
    expect([status, text.length]).toEqual([200, 4_096]);
    expect(took).toBeLessThan(9_000);
    await expect.poll(() => receiver.connections()).toBe(0);
  });

  test('HKS-01-partial one byte a second ends at the time limit', async () => {
    const caller = open({ timeoutMs: 400 });
    receiver.respond((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const { status, text, took } = await post(caller);
    expect(status).toBe(200);
    expect(text).toMatch(/^x+$/u);
    expect(took).toBeGreaterThan(350);
    expect(took).toBeLessThan(9_000);
    await expect.poll(() => receiver.connections()).toBe(0);
  });

  test('HKS-01-partial silence, a closed connection, no one there and a redirect are failures in plain sentences', async () => {
    const caller = open();
    receiver.respond(() => {});
    expect(await post(open({ timeoutMs: 400 }))).toMatchObject({
      status: null,
      fault: 'There was no answer within 0.4 seconds.',
    });
    receiver.respond((response) => response.destroy());
    expect(await post(caller)).toMatchObject({ status: null, fault: 'The connection was closed before there was an answer.' });
    receiver.respond((response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end());
    expect(await post(caller)).toMatchObject({ status: 302, fault: '' });
    receiver.respond((response) => response.writeHead(200, { 'x-long': 'y'.repeat(20_000) }).end());
    expect(await post(caller)).toMatchObject({ status: null, fault: 'The answer has too many headers.' });
    const { port } = receiver;
    await receiver.close();
    expect(await post(caller, `http://127.0.0.1:${port}/`)).toMatchObject({
      status: null,
      fault: 'The receiver rejected the connection.',
    });
    receiver = await startCallReceiver();
  });

  test('HKS-01-partial an answer that is no HTTP, or has a status that HTTP does not know, is a plain sentence', async () => {
    const caller = open();
    const statuses = ['042', '099', '600', '999', '0', '12', '1000', '101', '-1', '2e2'];
    const lines = [
      ...statuses.map((status) => `HTTP/1.1 ${status} x`),
      'HTTP/9.9 200 OK',
      'SSH-2.0-OpenSSH_9.9',
      '{"ok":true}',
      '',
    ];
    for (const line of lines) {
      receiver.respond((response) => response.socket!.end(`${line}\r\ncontent-length: 0\r\n\r\n`));
      const { status, fault } = await post(caller);
      const isKnown = status === null && [NO_HTTP, CLOSED].includes(fault);
      expect([line, status, fault, isKnown || (status !== null && status >= 100 && status <= 599)]).toEqual([
        line,
        status,
        fault,
        true,
      ]);
    }
  });

  test('HKS-01-partial a body that breaks off has a status all the same, and text is stored as text', async () => {
    const caller = open();
    receiver.respond((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write(Buffer.from([0x61, 0x00, 0xff, 0x62]), () => response.destroy());
    });
    expect(await post(caller)).toMatchObject({ status: 200, text: 'a\u{fffd}\u{fffd}b' });
  });
});
