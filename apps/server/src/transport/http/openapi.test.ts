import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { serveDescription } from './openapi.ts';

test('the description of the calls is served from its file, and a client that has it gets 304', async () => {
  const app = Fastify();
  serveDescription(app);
  const get = (headers: Record<string, string> = {}) => app.inject({ url: '/openapi.json', headers });
  const response = await get();
  expect(response.json<object>()).toMatchObject({ openapi: '3.0.3', paths: { '/dmp_aa/api/v1/auth/login': {} } });
  const { etag, 'cache-control': cache, 'content-type': type } = response.headers;
  expect([etag, cache, type]).toEqual([
    expect.stringMatching(/^"[0-9a-f]{32}"$/u),
    'public, no-cache',
    'application/json; charset=utf-8',
  ]);
  const again = await get({ 'if-none-match': String(etag) });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  expect((await get({ 'if-none-match': '"another"' })).statusCode).toBe(200);
  await app.close();
});
