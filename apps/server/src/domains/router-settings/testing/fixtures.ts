import { send } from '../../../testing/call.ts';
import type { Seeding } from '../../../testing/seeding.ts';
import type { TestServer } from '../../../testing/server.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import { listOf, withRouter, type Fixtures } from '../../../testing/fixture.ts';
import { SSID, withSettings } from '../../../testing/settings.ts';

type Server = Pick<TestServer, 'url' | 'connectRouter' | 'owner'>;

/** The router of the loose device reports another name than the one that is set for it. */
async function withDifference(tenant: Tenant, seeding: Seeding, server: Server): Promise<void> {
  await withRouter(tenant, seeding, server);
  const { organizationId: org, looseDeviceId: device, bearers } = tenant;
  const body = { org, device, values: [{ path: SSID, value: 'Desired' }] };
  const saved = await send(`${server.url}/data_manager/v1/dm/settings`, { method: 'PUT', bearer: bearers.admin, body });
  if (saved.status !== 200) throw new Error(saved.text);
  const report = { [SSID]: { state: 'differs', desired: 'Desired', actual: 'Reported' } };
  await server.owner.query(
    `insert into router_settings_states (organization_id, device_id, router_id, state, content, checked_at)
      select organization_id, id, router_id, 'differs', $2, now() from devices where id = $1
      on conflict (organization_id, device_id) do update set content = excluded.content, checked_at = excluded.checked_at`,
    [device, JSON.stringify(report)],
  );
}

const schemaNamed = (name: string) => ({
  name,
  models: ['A10*'],
  settings: [{ path: 'X_ACME_Gps.Interval', label: { en: 'Position interval' }, type: 'number', least: 1, most: 3_600 }],
});

/** The organization has a schema file of its own name. */
async function withSchema({ organizationId, name }: Tenant, { owner }: Pick<Server, 'owner'>): Promise<void> {
  await owner.query(
    `insert into router_setting_schemas (id, organization_id, name, content, created_by, created_at)
      values (gen_random_uuid(), $1, $2, $3, 'matrix@x.invalid', now()) on conflict do nothing`,
    [organizationId, name.slice(0, 60), JSON.stringify(schemaNamed(name.slice(0, 60)))],
  );
}

const values = [{ path: SSID, value: 'Matrix {{serial}}' }];

export const fixtures: Fixtures = {
  'settings.read': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group }) => ({ query: { org, group } }),
    prepare: (tenant, _seeding, server) => withSettings(tenant, server),
    shows: ({ name }) => name.slice(0, 30),
  },
  'settings.versions': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group }) => ({ query: { org, group } }),
    prepare: (tenant, _seeding, server) => withSettings(tenant, server),
    shows: ({ name }) => name.slice(0, 30),
  },
  'settings.save': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group }) => ({ body: { org, group, values } }),
    shows: () => 'Matrix {{serial}}',
  },
  'settings.preview': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ body: { org, device, values } }),
    shows: ({ serial }) => `Matrix ${serial}`,
  },
  'settings.ofDevice': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ query: { org, device } }),
    prepare: withDifference,
    shows: () => '"resolved":"Desired"',
  },
  'settings.adopt': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ body: { org, device } }),
    prepare: withDifference,
    shows: () => '"value":"Reported"',
  },
  'settings.list': listOf(({ serial }) => serial),
  'settings.adoptMany': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org } }),
    prepare: withDifference,
    shows: () => '"devices":1',
  },
  'settings.export': listOf(({ serial }) => serial),
  'settings.import': {
    names: 'organization',
    make: ({ organizationId: org }, { serial }) => ({ body: { org, csv: `SN,${SSID}\n${serial},Imported\n` } }),
    shows: () => '"rows":1',
  },
  'settings.importFile': {
    names: 'organization',
    make: ({ organizationId: org }, { serial }) => ({ body: { org }, file: `SN,${SSID}\n${serial},Imported\n` }),
    shows: () => '"rows":1',
  },
  'settings.schemas': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org } }),
    prepare: (tenant, _seeding, server) => withSchema(tenant, server),
    shows: ({ name }) => name.slice(0, 60),
  },
  'settings.saveSchema': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, schema: schemaNamed('Acme A10') } }),
    shows: () => 'Acme A10',
  },
  'settings.deleteSchema': {
    names: 'ids',
    make: ({ organizationId: org }, { name }) => ({ body: { org, name: name.slice(0, 60) } }),
    prepare: (tenant, _seeding, server) => withSchema(tenant, server),
  },
};
