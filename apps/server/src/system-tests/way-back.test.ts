import { randomBytes } from 'node:crypto';
import type { esims } from '@highline/contract';
import { startAgent, type RouterHandle } from '@highline/router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrganizationScope } from '../kernel/scope.ts';
import { ask, until } from '../testing/call.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

// Connection settings that users change in the console are reverted by the router when they fail: our own agent over the real
// protocol.

let server: TestServer;
let scope: OrganizationScope;
let bearer: string;
let agent: RouterHandle;
let group: string;
const serial = 'WB000001';

beforeAll(async () => {
  server = await startTestServer();
  const main = (await server.seeding.mainAccount('Home')).scope;
  scope = await server.seeding.organization(main, 'Own');
  bearer = await server.seeding.bearer(await server.seeding.account(scope, 'admin@highline.invalid', 'admin'));
  group = await server.seeding.group(scope, 'Buses');
  const mac = randomBytes(6).toString('hex').toUpperCase();
  const [router] = await server.seeding.routers(main, [{ serial, mac }]);
  await server.seeding.devices(scope, [{ serial, mac, group }]);
  const backoff = { minMs: 10, maxMs: 50, rejectedMs: 100, serverRestartMs: 100 };
  const timing = { backoff, bootMs: 50, valueChangePollMs: 50, profileMs: 40, callHomeMs: 1_500 };
  const identity = { serial, mac, secret: router!.secret, model: 'HR-500', apn: 'born', config: 'city.json' };
  agent = startAgent({ server: server.url.replace('http', 'ws'), router: identity, timing });
  await until(async () => (await device()).eid !== null);
});
afterAll(async () => {
  await agent.stop();
  await server.close();
});

const device = async () =>
  (
    await server.owner.query<{ eid: string; iccid: string; config: string; presence: string }>(
      'select eid, iccid, config, presence from devices where serial = $1',
      [serial],
    )
  ).rows[0]!;

const call = <T>(method: string, path: string, body: object) =>
  ask<T>(`${server.url}/data_manager/v1/${path}`, { method, bearer, body });

test('GRP-10-partial a config file that disconnects the router is reverted by the router itself, and the rollout shows it as rolled back', async () => {
  const file = await server.seeding.config(scope, { name: 'cut.cfg', contents: 'server.offline = true\n' });
  await call('POST', 'binding/group/config', { group, config: file, schedule: 'immediate' });
  const target = async () =>
    (await server.owner.query<{ state: string; reason: string }>('select state, reason from rollout_targets')).rows[0];
  await expect.poll(target).toMatchObject({ state: 'rolled-back', reason: expect.stringContaining('did-not-call-home') });
  await expect.poll(device).toMatchObject({ config: 'city.json', presence: 'online' });
});

test('SIM-07-partial an APN with which the router cannot connect is replaced by the previous one, and its card says so', async () => {
  const { eid, iccid } = await device();
  const { pk } = await call<esims.Profile>('POST', 'dm/profile/', { serial, eid, ac: 'preload', iccid, apn: 'born' });
  const row = async () =>
    (await server.owner.query<{ status: string; reason: string }>('select status, reason from esim_profiles where id = $1', [pk]))
      .rows[0];
  await expect.poll(row).toMatchObject({ status: 'In Use', reason: '' });
  await call('PATCH', `dm/profile/${pk}`, { apn1: 'noconn.apn' });
  await expect.poll(row).toMatchObject({ status: 'In Use', reason: 'apn-returned' });
  await expect.poll(async () => (await device()).presence).toBe('online');
});
