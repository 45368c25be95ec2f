import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bearerOf } from './bearer.ts';
import { eraseSentSession, eraseSession, keepSession, readHostCookies } from './cookies.ts';

let secure: FastifyInstance;
let plain: FastifyInstance;

async function open(isSecure: boolean): Promise<FastifyInstance> {
  const app = Fastify();
  await app.register(cookie);
  if (isSecure) readHostCookies(app);
  app.get('/keep', async (_request, reply) => {
    keepSession(reply, isSecure, 'some-id', 'a-bearer');
    return 'kept';
  });
  app.get('/erase', async (_request, reply) => {
    eraseSession(reply, isSecure);
    return 'erased';
  });
  app.get('/sign-out', async (request, reply) => {
    eraseSentSession(request, reply, isSecure);
    return 'signed out';
  });
  app.get('/read', (request, reply) => reply.send(bearerOf(request)?.text ?? 'none'));
  return app;
}

beforeAll(async () => {
  secure = await open(true);
  plain = await open(false);
});
afterAll(async () => {
  await secure.close();
  await plain.close();
});

const read = async (app: FastifyInstance, cookies: string) =>
  (await app.inject({ url: '/read', headers: { cookie: cookies } })).body;
const setBy = async (app: FastifyInstance, url: string) => [(await app.inject({ url })).headers['set-cookie']].flat().map(String);

test('SEC-F15 under https the bearer is kept in a cookie that no other host of the domain can set', async () => {
  const kept = (await setBy(secure, '/keep')).find((line) => line.includes('a-bearer'))!;
  expect(kept).toMatch(/^__Host-vap=a-bearer; /u);
  expect(kept.split('; ')).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']));
  expect(kept).not.toContain('Domain');
  expect(await read(secure, '__Host-vap=mine')).toBe('mine');
  // A router's page under the same parent domain set a cookie for the console.
  for (const cookies of ['vap=fixed', 'vap=fixed; __Host-vap=mine', '__Host-vap=mine; vap=fixed'])
    expect([cookies, await read(secure, cookies)]).toEqual([cookies, cookies === 'vap=fixed' ? 'none' : 'mine']);
});

test('SEC-F15 signing out erases it as well, with the attributes that browsers require', async () => {
  const erased = await setBy(secure, '/erase');
  expect(erased.find((line) => line.startsWith('__Host-vap='))).toMatch(/Path=\/.*Secure/u);
  expect(new Set(erased.map((line) => line.split('=')[0]))).toEqual(new Set(['__Host-vap', 'id', 'logout', 'vap']));
});

test('AUTH-05-partial the call that ends a session erases the cookies it came with, and sets none for a program', async () => {
  const names = async (app: FastifyInstance, headers: Record<string, string>) => {
    const { headers: responded } = await app.inject({ url: '/sign-out', headers });
    return [responded['set-cookie'] ?? []].flat().map((line) => line.split('=')[0]);
  };
  expect(await names(secure, { cookie: '__Host-vap=mine; id=some-id' })).toEqual(expect.arrayContaining(['id', '__Host-vap']));
  expect(await names(plain, { cookie: 'vap=mine; id=some-id' })).toEqual(expect.arrayContaining(['id', 'vap']));
  for (const app of [secure, plain]) expect(await names(app, { authorization: 'Bearer mine' })).toEqual([]);
});

test('AUTH-01-partial without https the cookie is `vap`, as programs expect it', async () => {
  expect((await setBy(plain, '/keep')).some((line) => line.startsWith('vap=a-bearer; '))).toBe(true);
  expect(await read(plain, 'vap=mine')).toBe('mine');
});
