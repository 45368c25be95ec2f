import { randomBytes } from 'node:crypto';
import type { esims } from '@highline/contract';
import { startAgent, type RouterHandle } from '@highline/router';
import { makeIccid } from '@highline/usp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

// Our own router agent over the real protocol: requested profiles, and their results.

let server: TestServer;
let scope: OrganizationScope;
let bearer: string;
let agent: RouterHandle;
let device: { serial: string; eid: string; iccid: string };
const serial = 'ES000001';

beforeAll(async () => {
  server = await startTestServer();
  const main = (await server.seeding.mainAccount('Home')).scope;
  scope = await server.seeding.organization(main, 'Own');
  bearer = await server.seeding.bearer(await server.seeding.account(scope, 'admin@highline.invalid', 'admin'));
  const mac = randomBytes(6).toString('hex').toUpperCase();
  const [router] = await server.seeding.routers(main, [{ serial, mac }]);
  await server.seeding.devices(scope, [{ serial, mac }]);
  const backoff = { minMs: 10, maxMs: 50, rejectedMs: 100, serverRestartMs: 100 };
  const timing = { backoff, bootMs: 50, valueChangePollMs: 50, profileMs: 40, callHomeMs: 5_000 };
  const identity = { serial, mac, secret: router!.secret, model: 'HR-500' };
  agent = startAgent({ server: server.url.replace('http', 'ws'), router: identity, timing });
  const reportedIds = async () =>
    (await server.owner.query<{ eid: string; iccid: string }>('select eid, iccid from devices')).rows[0]!;
  await until(async () => (await reportedIds()).eid !== null);
  const { eid, iccid } = await reportedIds();
  device = { serial, eid, iccid };
});
afterAll(async () => {
  await agent.stop();
  await server.close();
});

async function call<T>(method: string, path: string, body?: object): Promise<{ status: number; result: T }> {
  const response = await fetch(`${server.url}/data_manager/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as { result: T };
  return { status: response.status, result: json.result };
}

const cards = async () => (await call<esims.Profile[]>('GET', `dm/profiles?serial=${serial}&eid=${device.eid}`)).result;
const add = async (ac: string, more: object = {}) => {
  const { result } = await call<esims.Profile>('POST', 'dm/profile/', { serial, eid: device.eid, ac, apn: 'fleet', ...more });
  return result;
};
const code = (matchingId: string) => `1$smdp.example.com$${matchingId}`;
const statusOf = (pk: string) => async () => {
  const card = (await cards()).find((each) => each.pk === pk);
  return card === undefined ? 'none' : `${card.status}${card.reason === '' ? '' : ` ${card.reason.split(':')[0]!}`}`;
};
async function becomes(pk: string, status: string): Promise<void> {
  await expect.poll(statusOf(pk)).toBe(status);
}

describe('a router follows its profiles', () => {
  test('SIM-10-partial a new router shows its preloaded profile as a placeholder', async () => {
    expect(await cards()).toMatchObject([
      { pk: '', status: 'Not Purchased', ac: 'preload', name: 'preloaded_eSIM', priority: 1 },
    ]);
  });

  test('SIM-10-partial SIM-04-partial an imported profile is activated and not used; only Use now switches, and back again', async () => {
    const csv = `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\n${serial},${device.eid},${code('NEW-1')},,fleet,,Imported\n`;
    const body = new FormData();
    body.set('profile', new File([csv], 'esims.csv', { type: 'text/csv' }));
    const response = await fetch(`${server.url}/data_manager/v1/dm/profile/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body,
    });
    const { result } = (await response.json()) as { result: esims.ProfileImportResult };
    expect(result).toMatchObject({ success: 1, impact: { carrier: 0, vehicles: [] } });
    const [pk] = result.ids as [string];
    await becomes(pk, 'Activated');
    // The preloaded one stays in use after a reconnect, which is when the engine checks a router again.
    agent.reboot();
    const boots = async () => (await server.owner.query("select 1 from connectivity where kind = 'boot'")).rowCount ?? 0;
    await expect.poll(boots).toBeGreaterThan(0);
    expect(await cards()).toMatchObject([
      { pk: '', ac: 'preload', act: true, priority: 1 },
      { pk, status: 'Activated', act: false, priority: 2 },
    ]);
    await call('POST', 'dm/profile/use', { profile: pk });
    await becomes(pk, 'In Use');
    const added = await call<esims.Profile>('POST', 'dm/profile/', {
      serial,
      eid: device.eid,
      ac: 'preload',
      apn: 'internet',
      iccid: device.iccid,
    });
    await becomes(added.result.pk, 'Activated');
    await call('POST', 'dm/profile/use', { profile: added.result.pk });
    await becomes(added.result.pk, 'In Use');
    // The router keeps the preloaded one; its row is created again by the tests below.
    await call('DELETE', `dm/profile/${pk}`);
    await becomes(pk, 'none');
    await server.owner.query('delete from esim_profiles where id = $1', [added.result.pk]);
  });

  test('WIN-02-partial a switch with a window waits for it and says for what; it can be withdrawn, and done once it is open', async () => {
    const { pk } = await add(code('LATER'));
    await becomes(pk, 'Activated');
    const use = (window: object | null) => call('POST', 'dm/profile/use', { profile: pk, window });
    const zone = 'America/Chicago';
    expect((await use({ zone })).status).toBe(400);
    // The uplink of this router is its modem.
    expect((await use({ zone, uplinks: ['ethernet'] })).status).toBe(200);
    await becomes(pk, 'Assigning... window-uplink');
    expect((await cards()).find(({ act }) => act)?.pk).not.toBe(pk);
    // Also after it was away: nothing is sent before.
    agent.reboot();
    await agent.whenConnected();
    await becomes(pk, 'Assigning... window-uplink');
    expect((await use(null)).status).toBe(200);
    await becomes(pk, 'Activated');
    expect((await use({ zone, uplinks: ['cellular'] })).status).toBe(200);
    await becomes(pk, 'In Use');
    const { rows } = await server.owner.query<{ action: string }>(
      `select action from audit_entries where action like '%eSIM%${serial}%' order by seq desc limit 3`,
    );
    expect(rows.map(({ action }) => action.split(' ')[0])).toEqual(['Planned', 'Withdrew', 'Planned']);
    await call('DELETE', `dm/profile/${pk}`);
    await becomes(pk, 'none');
  });

  test('SIM-10-partial preloaded, with a wrong ICCID, fails; with the right one it is in use', async () => {
    const { pk } = await add('preload', { iccid: makeIccid(999) });
    await becomes(pk, 'Fail to download iccid-mismatch');
    expect((await call('PATCH', `dm/profile/${pk}`, { iccid: device.iccid })).status).toBe(200);
    const resumed = await call<esims.Profile>('POST', 'dm/profile/resume', { profile: pk });
    expect(resumed.result.status).toBe('Assigning...');
    await becomes(pk, 'In Use');
  });

  test('SIM-10-partial downloaded below the one in use it is activated; moved to the top it is switched to, and when it is deleted the other follows', async () => {
    const { pk } = await add(code('GOOD-1'), { name: 'Second' });
    await becomes(pk, 'Activated');
    const [first] = await cards();
    expect(first).toMatchObject({ status: 'In Use', ac: 'preload', act: true });
    await call('PATCH', `dm/profile/${pk}`, { priority: 1 });
    await becomes(pk, 'In Use');
    await becomes(first!.pk, 'Activated');
    const own = (await cards())[0]!;
    expect([own.carrier, own.iccid]).not.toContain('');
    const numberOf = async () => (await server.owner.query<{ iccid: string }>('select iccid from devices')).rows[0]!.iccid;
    await expect.poll(numberOf).toBe(own.iccid);
    expect((await call<esims.Profile>('DELETE', `dm/profile/${pk}`)).result.status).toBe('Deleting...');
    await becomes(pk, 'none');
    await becomes(first!.pk, 'In Use');
  });

  test('SIM-10-partial the operator accepts the confirmation code of the activation code, and no other', async () => {
    const { pk } = await add(`${code('PIN4711')}$$1`, { confirmationCode: '4712' });
    await becomes(pk, 'Fail to download wrong-confirmation');
    expect((await call('PATCH', `dm/profile/${pk}`, { confirmationCode: '4711' })).status).toBe(200);
    await call('POST', 'dm/profile/resume', { profile: pk });
    await becomes(pk, 'Activated');
    await call('DELETE', `dm/profile/${pk}`);
    await becomes(pk, 'none');
  });

  test('SIM-10-partial one that cannot be downloaded, one that is too large and one that never connects fail in their own ways', async () => {
    const bad = await add(code('FAIL-1'));
    await becomes(bad.pk, 'Fail to download download-failed');
    const big = await add(code('BIG-1'));
    await becomes(big.pk, 'Out of memory out-of-memory');
    const dead = await add(code('NOCONN-1'));
    await becomes(dead.pk, 'Activated');
    await call('PATCH', `dm/profile/${dead.pk}`, { priority: 1 });
    await becomes(dead.pk, 'Fail to activate activation-failed');
    const preloaded = (await cards()).find(({ ac }) => ac === 'preload')!;
    await becomes(preloaded.pk, 'In Use');
    expect((await cards()).filter(({ act }) => act)).toHaveLength(1);
    // A failed profile is used again only when a user requests it, and the router returns again.
    expect((await call<esims.Profile>('POST', 'dm/profile/use', { profile: dead.pk })).result.status).toBe('Assigning...');
    await becomes(dead.pk, 'Fail to activate activation-failed');
    await becomes(preloaded.pk, 'In Use');
  });
});
