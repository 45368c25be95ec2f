import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import { sendNotFound } from './faults.ts';
import { createHttpServer } from './server.ts';

const options = { log: createLog('silent'), trustedProxies: ['loopback'], tls: undefined, secure: false, isBusy: () => false };
let app: Awaited<ReturnType<typeof createHttpServer>>;

beforeAll(async () => {
  app = await createHttpServer(options);
  app.get('/address', ({ ip }) => ip);
  app.post('/form', ({ body }) => body);
  app.setNotFoundHandler(sendNotFound);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

/** Send bytes on a connection of their own, and read until it is closed. */
async function sendBytes(bytes: string): Promise<{ head: string; text: string }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  let response = '';
  for await (const chunk of socket) response += String(chunk);
  const [head = '', text = ''] = response.split('\r\n\r\n');
  return { head, text };
}

test.each([
  [true, 'max-age=31536000; includeSubDomains'],
  [false, undefined],
])('answers keep browsers on https when users reach us by https, also behind a proxy (%s)', async (secure, header) => {
  const one = await createHttpServer({ ...options, secure });
  one.get('/page', () => 'a page');
  const response = await one.inject('/page');
  expect(response.headers['strict-transport-security']).toBe(header);
  await one.close();
});

test.each([
  ['a line that is no HTTP', 'HELLO\r\n\r\n', 400, 'request.malformed'],
  ['a host that is missing', 'GET /address HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'request.invalid'],
  ['an unknown expectation', 'GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: 7\r\nconnection: close\r\n\r\n', 404, 'not_found'],
  ['headers that are too long', `GET /?q=${'a'.repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, 'request.headers_too_large'],
])(
  'API-03-partial what is no request is answered in the envelope, with the security headers, uncached: %s',
  async (_, bytes, status, key) => {
    const { head, text } = await sendBytes(bytes);
    expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
    expect(JSON.parse(text).error).toMatchObject({ code: status, key });
    for (const header of ['cache-control: no-store', 'x-content-type-options: nosniff', 'referrer-policy: no-referrer'])
      expect(head.toLowerCase()).toContain(header);
    expect(head.toLowerCase()).toContain('content-security-policy: ');
  },
);

test('RMT-07-partial who has too many cookies to open a page gets to know what to do', async () => {
  const { text } = await sendBytes(`GET / HTTP/1.1\r\nhost: x\r\ncookie: a=${'a'.repeat(17_000)}\r\n\r\n`);
  expect(JSON.parse(text).error.message).toContain('delete the cookies of this site');
});

test('SEC-F12-partial addresses that a proxy writes with a port or in brackets are one client, and what is no address is rejected', async () => {
  const from = async (forwarded: string) => {
    const response = await app.inject({ url: '/address', headers: { 'x-forwarded-for': forwarded } });
    return response.statusCode === 200 ? response.body : response.statusCode;
  };
  const ones = [
    '203.0.113.7:51000',
    '203.0.113.7:51001',
    '203.0.113.7',
    '::ffff:203.0.113.7',
    'junk, 203.0.113.7:9, 127.0.0.1:3',
  ];
  expect(await Promise.all(ones.map(from))).toEqual(Array(5).fill('203.0.113.7'));
  expect(await from('[2001:db8::1]:443')).toBe('2001:db8::1');
  expect(await Promise.all(['unknown', 'unknown:80', '203.0.113.7:', '1.2.3'].map(from))).toEqual(Array(4).fill(400));
});

test('forms of a few fields are read, also with a field of any name, and more are rejected', async () => {
  const post = (payload: string) =>
    app.inject({ method: 'POST', url: '/form', payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  expect((await post('nonce=a+b%26&answer=yes&__proto__=x')).json()).toMatchObject({ nonce: 'a b&', answer: 'yes' });
  expect((await post('a&'.repeat(1_001))).statusCode).toBe(400);
  expect((await post(`a=${'x'.repeat(17_000)}`)).statusCode).toBe(413);
});
