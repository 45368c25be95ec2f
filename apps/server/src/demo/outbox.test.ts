import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../testing/call.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const statusUnder = (host: string, path = '/demo/outbox') =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${server.url}${path}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('the demo shows its mails with links to open, escaped, and to this machine only', async () => {
  const main = (await server.seeding.mainAccount('Home')).scope;
  await server.seeding.account(main, 'ann@highline.invalid', 'main');
  await server.owner.query(`update accounts set name = '<b>Ann' where email = 'ann@highline.invalid'`);
  await send(`${server.url}/dmp_aa/api/v1/auth/password/forgot`, { body: { email: 'ann@highline.invalid' } });
  const { text } = await send(`${server.url}/demo/outbox`);
  expect(text).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/account\.html\?reset=[\w-]{43}">/u);
  expect(text).toContain('&lt;b&gt;Ann');
  expect(text).not.toContain('<b>Ann');
  expect(await statusUnder('evil.example')).toBe(404);
  expect(await statusUnder('localhost')).toBe(200);
});

test('SEC-F18 the demo answers no call under a name that is not this machine, and so mails no link to one', async () => {
  for (const host of ['evil.test', '127.0.0.1.evil.test', 'localhost.evil.test', 'evil.test:80', '192.0.2.1', '', '%'])
    expect([host, await statusUnder(host, '/livez')]).toEqual([host, host === '' || host === '%' ? expect.any(Number) : 404]);
  for (const host of ['127.0.0.1', 'localhost', 'localhost:8080', '127.0.0.1:1', '[::1]', '[::1]:8080'])
    expect([host, await statusUnder(host, '/livez')]).toEqual([host, 200]);
  const main = (await server.seeding.mainAccount('Rebound')).scope;
  await server.seeding.account(main, 'rebound@highline.invalid', 'main');
  const path = '/dmp_aa/api/v1/auth/password/forgot';
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'evil.test', 'content-type': 'application/json' };
    const sent = request(`${server.url}${path}`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(JSON.stringify({ email: 'rebound@highline.invalid' }));
  });
  expect([status, await server.mailsTo('rebound@highline.invalid')]).toEqual([404, []]);
});
