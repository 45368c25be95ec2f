import { beforeAll, describe, expect, test } from 'vitest';
import { makeEid } from '@highline/usp';
import type { webhooks } from '@highline/contract';
import type { Actor } from '../../kernel/index.ts';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { useTestApp, type TestResponse } from '../../testing/test-app.ts';
import { sealedColumns } from './sealed-columns.ts';

const BASE = '/data_manager/v1/dm';
const PROVIDERS = '/dmp_aa/api/v1/identityProviders';
const app = useTestApp();
let home: Home;
let device: TestDevice;
let config: string;
let provider: string;

async function make(path: string, as: Actor, body: object): Promise<void> {
  const { status, text } = await app.call('POST', `${BASE}${path}`, { as, body });
  if (status !== 200) throw new Error(text);
}

beforeAll(async () => {
  home = await openHome(app);
  device = await addDevice(app, home.own, routersNamed('UR')());
  config = await app.seeding.config(home.own, { name: 'Site.cfg' });
  const { routerId: router, serial } = device;
  await make(`/inventory/${router}/certificates`, home.mainPerson, { days: 30 });
  const profile = { serial, eid: makeEid(1), ac: '1$smdp.example.com$ABCDEF$$1', confirmationCode: '1234', apn: 'fleet' };
  await make('/profile/', home.admin, profile);
  const company = { name: 'Acme', issuer: 'https://id.example.com', clientId: 'highline', clientSecret: 'secret' };
  const created = await app.call('POST', PROVIDERS, { as: home.admin, body: company });
  provider = created.json.result.id;
  await make('/webhooks', home.admin, { name: 'Hook', url: 'https://hooks.example.com/x', events: ['device.online'] });
});

const keyOf = ({ status, json }: TestResponse): unknown[] => [status, json?.error?.key];
const unreadable = [409, 'secret.unreadable'];

async function testHook(): Promise<webhooks.WebhookDelivery> {
  const { rows } = await app.owner.query('select id from webhook_endpoints');
  const { status, json, text } = await app.call('POST', `${BASE}/webhooks/${rows[0].id}/test`, { as: home.admin, body: {} });
  expect(status, text).toBe(200);
  return json.result;
}

/** What a person or program gets where a value cannot be opened; a text says why no call of this app opens such a value. */
const cases: Readonly<Record<string, (() => Promise<void>) | string>> = {
  'installation_keys.sealed': 'opened at the start, which ends with a sentence',
  'second_factors.sealed_secret': 'second-factor.test.ts',
  'mails.sealed': 'a mail stays undelivered with this reason',
  'idempotent_calls.sealed_answer': 'idempotency.test.ts: the answer is lost, and the call says so',
  async 'main_account_cas.sealed_key'() {
    const path = `${BASE}/inventory/${device.routerId}/certificates`;
    expect(keyOf(await app.call('POST', path, { as: home.mainPerson, body: { days: 30 } }))).toEqual(unreadable);
  },
  async 'config_versions.sealed'() {
    expect(keyOf(await app.call('GET', `${BASE}/config/${config}/versions/1/contents`, { as: home.admin }))).toEqual(unreadable);
  },
  async 'esim_profiles.sealed_code'() {
    const { status, json } = await app.call('GET', `${BASE}/profiles`, { as: home.admin, query: { limit: 5 } });
    expect([status, json.result.map(({ ac, apn }: { ac: string; apn: string }) => [ac, apn])]).toEqual([200, [['', 'fleet']]]);
    const body = { serial: device.serial, eid: makeEid(1), ac: '1$smdp.example.com$OTHER', apn: 'fleet' };
    expect(keyOf(await app.call('POST', `${BASE}/profile/`, { as: home.admin, body }))).toEqual(unreadable);
  },
  async 'esim_profiles.sealed_confirmation'() {
    const { rows } = await app.owner.query('select id from esim_profiles where sealed_confirmation is not null');
    const body = { confirmationCode: '9999' };
    expect(keyOf(await app.call('PATCH', `${BASE}/profile/${rows[0].id}`, { as: home.admin, body }))).toEqual(unreadable);
  },
  async 'webhook_endpoints.sealed_secret'() {
    expect(await testHook()).toMatchObject({
      state: 'failed',
      status: null,
      error: expect.stringContaining('Rotate the secret'),
    });
    const { rows } = await app.owner.query('select id from webhook_endpoints');
    // The former secret, which nothing opens, signs nothing; the new one does.
    await app.call('POST', `${BASE}/webhooks/${rows[0].id}/rotate`, { as: home.admin, body: {} });
    expect((await testHook()).error).not.toContain('secret');
  },
  async 'identity_providers.sealed_secret'() {
    expect(keyOf(await app.call('POST', `${PROVIDERS}/${provider}/test`, { as: home.admin, body: {} }))).toEqual(unreadable);
  },
  'router_settings.sealed': 'router-settings.test.ts: the command fails and says so, and a new secret can be saved',
  'router_passwords.sealed': 'passwords.test.ts: it is not shown, and the call says so',
  'webhook_endpoints.previous_secret': 'the step before: it is left out',
  async 'router_backups.sealed'() {
    const { rows } = await app.owner.query(
      `insert into router_backups (organization_id, id, device_id, router_id, serial, model, firmware, name, bytes, sha256, is_text, sealed,
         created_by, created_at, confirmed_at)
       select organization_id, id, id, router_id, serial, '', '', '', 1, 'ab', true, decode(repeat('00', 40), 'hex'), 'a@b.invalid', now(), now()
       from devices where serial = $1 returning id`,
      [device.serial],
    );
    expect(keyOf(await app.call('GET', `${BASE}/router-backups/${rows[0].id}/file`, { as: home.admin }))).toEqual(unreadable);
  },
};

describe('CFG-02-partial SIM-04-partial HKS-01-partial a stored secret that cannot be opened is a plain answer, and keeps no one from the rest', () => {
  test.each(sealedColumns.map(({ table, column }) => [table, column] as const))('%s.%s', async (table, column) => {
    const step = cases[`${table}.${column}`];
    expect(step, 'name what a call that opens it answers').toBeDefined();
    if (typeof step !== 'function') return;
    await app.owner.query(
      `update ${table} set ${column} = set_byte(${column}, 20, 255 - get_byte(${column}, 20)) where ${column} is not null`,
    );
    await step();
  });
});
