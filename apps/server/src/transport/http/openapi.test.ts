import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { serveDescription } from './openapi.ts';

test('the description of the calls is generated once, and a client that has it gets 304', async () => {
  const app = Fastify();
  let made = 0;
  serveDescription(app, () => ({ openapi: '3.1.0', made: ++made }));
  const get = (headers: Record<string, string> = {}) => app.inject({ url: '/openapi.json', headers });
  const responses = await Promise.all(Array.from({ length: 20 }, () => get()));
  expect(responses.map((response) => response.json<unknown>())).toEqual(responses.map(() => ({ openapi: '3.1.0', made: 1 })));
  const { etag, 'cache-control': cache } = responses[0]!.headers;
  expect([etag, cache]).toEqual([expect.stringMatching(/^"[0-9a-f]{32}"$/u), 'public, no-cache']);
  const again = await get({ 'if-none-match': String(etag) });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  expect((await get({ 'if-none-match': '"another"' })).statusCode).toBe(200);
  await app.close();
});
