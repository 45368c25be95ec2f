import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutOffSlowBodies, bodyTimeoutFor } from './body-timeout.ts';

let app: FastifyInstance;
let arrived: string[];

beforeAll(async () => {
  arrived = [];
  app = Fastify();
  cutOffSlowBodies(app, 50);
  const handler = async ({ url, body }: { url: string; body: unknown }) => {
    arrived.push(url);
    return body;
  };
  app.post('/short', handler);
  app.post('/long', { config: { bodyTimeoutMs: 60_000 } }, handler);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

function begin(path: string): ClientRequest {
  const { port } = app.server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json', 'content-length': 6 };
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  sent.write('"abc');
  return sent;
}

test('a body that does not arrive is cut off, while one with a longer limit is awaited', async () => {
  const [short, long] = [begin('/short'), begin('/long')];
  await once(short, 'error');
  const responded = once(long, 'response');
  long.end('d"');
  const [response] = (await responded) as [{ statusCode: number }];
  expect([response.statusCode, arrived]).toEqual([200, ['/long']]);
});

test('a body for an unknown address is no fault', async () => {
  const response = await app.inject({ method: 'POST', url: '/nowhere', payload: { a: 1 } });
  expect(response.statusCode).toBe(404);
});

test('FWR-02-partial the largest image may take over an hour on a bad line', () => {
  expect(bodyTimeoutFor(256 * 1_048_576)).toBeGreaterThan(3_600_000);
  expect(bodyTimeoutFor(0)).toBe(120_000);
});
