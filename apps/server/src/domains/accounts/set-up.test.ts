import { afterEach, expect, test } from 'vitest';
import { send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { createAccountsService } from './accounts.service.ts';
import { systemClock } from '../../platform/ports/clock.ts';

let server: TestServer;
afterEach(() => server.close());

const first = {
  company: 'Transit',
  name: 'Ada',
  email: 'Ada@Transit.example',
  password: 'correct horse battery',
};

const mint = () =>
  createAccountsService({
    database: server.database,
    clock: systemClock,
    sealing: createTestSealing(),
    mailSealing: createTestSealing(),
    challenges: createTestSealing(),
    endStreams: () => {},
  }).mintSetUpSecret();
const setUp = (secret: string | undefined, more: Partial<typeof first> = {}) =>
  send(`${server.url}/dmp_aa/api/v1/auth/set-up`, { body: { secret, ...first, ...more } });

test('AUTH-02-partial a new installation is set up once by the newest printed link, whose user then signs in', async () => {
  server = await startTestServer();
  const old = await mint();
  const secret = await mint();
  expect((await setUp(old)).error().key).toBe('account.link_invalid');
  expect((await setUp(secret, { password: 'short' })).error().key).toBe('account.weak_password');
  for (const bad of [{ company: ' ' }, { name: '' }, { email: 'no-address' }])
    expect((await setUp(secret, bad)).error().key).toBe('request.invalid');
  const both = await Promise.all([setUp(secret), setUp(secret, { email: 'second@transit.example' })]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
  const { email } = both.find(({ status }) => status === 200)!.json<{ result: { email: string } }>().result;
  const signedIn = await send(`${server.url}/dmp_aa/api/v1/auth/token`, { body: { email, password: first.password } });
  const { vap } = signedIn.json<{ result: { vap: string } }>().result;
  const who = await send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer: vap });
  expect(who.json()).toMatchObject({ result: { role: 'vendorSuper', vendorName: 'Transit' } });
  expect(await mint()).toBeUndefined();
  expect((await setUp(secret)).error().key).toBe('account.link_invalid');
});
