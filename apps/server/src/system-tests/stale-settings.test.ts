import { expect, test } from 'vitest';
import { openHome } from '../testing/home.ts';
import { useTestApp } from '../testing/test-app.ts';

// DECISIONS, Concurrent edits: documents of an organization whose version is that of their content.

const app = useTestApp();

const port = { from: 443, to: 443 };
const documents: readonly [path: string, first: object, second: object][] = [
  [
    'clients/access',
    { roles: ['admin'], ranges: ['10.0.0.0/8'], ports: [port] },
    { roles: ['admin', 'user'], ranges: ['10.0.0.0/8'], ports: [port] },
  ],
  ['recordings/settings', { recorded: true, days: 90 }, { recorded: false, days: 30 }],
  [
    'router-passwords/settings',
    { length: 16, symbols: true, rotateDays: null, automatic: false },
    { length: 20, symbols: false, rotateDays: 90, automatic: true },
  ],
  [
    'router-backups/settings',
    { nightly: true, hour: 2, zone: 'UTC', versions: 30, days: 365 },
    { nightly: false, hour: 3, zone: 'UTC', versions: 14, days: 90 },
  ],
  ['clients/settings', { keep: 'use', days: 90 }, { keep: 'nothing', days: 7 }],
  ['tool-targets', { allow: 'public', ranges: [] }, { allow: 'listed', ranges: ['192.0.2.0/24'] }],
];

test.each(documents)(
  'SHR-06-partial %s: what another admin saved meanwhile is not replaced, and is answered',
  async (name, first, second) => {
    const { admin } = await openHome(app);
    const path = `/data_manager/v1/dm/${name}`;
    const read = async () => (await app.call('GET', path, { as: admin })).json.result;
    const save = (body: object, version: string) =>
      app.call('PUT', path, { as: admin, body, headers: { 'if-match': `"${version}"` } });
    const { version } = await read();
    const saved = await save(first, version);
    expect(saved.status, saved.text).toBe(200);
    const stale = await save(second, version);
    expect([stale.status, stale.json.error.key]).toEqual([412, 'conflict.stale']);
    expect(stale.json.error.detail).toEqual(saved.json.result);
    expect(await read()).toEqual(saved.json.result);
    expect((await save(second, saved.json.result.version)).json.result).toMatchObject(second);
    expect((await app.call('PUT', path, { as: admin, body: first })).status).toBe(200);
  },
);

test('SHR-06-partial IAM-04-partial a limit that another admin saved meanwhile is not replaced, and is answered', async () => {
  const { own, admin } = await openHome(app);
  const id = await app.seeding.account(own, `limited-${own.organizationId}@x.invalid`, 'user');
  const path = `/dmp_aa/api/v1/accounts/${id}`;
  const versionNow = async () => (await app.call('GET', path, { as: admin })).json.result.limitVersion;
  const save = (tags: readonly string[], version: string) =>
    app.call('PUT', `${path}/limit`, {
      as: admin,
      body: { limitedTo: { groups: [], tags } },
      headers: { 'if-match': `"${version}"` },
    });
  const version = await versionNow();
  const saved = await save(['night'], version);
  expect([saved.status, saved.json.result.limitVersion], saved.text).toEqual([200, await versionNow()]);
  const stale = await save(['day'], version);
  expect([stale.status, stale.json.error.key, stale.json.error.detail]).toEqual([412, 'conflict.stale', saved.json.result]);
  expect((await save(['day'], saved.json.result.limitVersion)).json.result.limitedTo.tags).toEqual(['day']);
});
