import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../testing/call.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const statusUnder = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${server.url}/demo/outbox`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('the demo shows its mails with links to open, escaped, and to this machine alone', async () => {
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
