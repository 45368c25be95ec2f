import { packCounters } from '../use/packed.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import { withRouter, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

/** Today's use of a phone. */
const withClientDay: NonNullable<Fixture['prepare']> = async (
  { deviceId, organizationId, name }: Tenant,
  _seeding,
  { owner },
) => {
  const client = {
    mac: '5A1122334455',
    name: `Phone of ${name}`,
    source: 'host',
    sent: 9,
    received: 9,
    isPresent: true,
  } as const;
  await owner.query(
    `insert into client_settings (organization_id, keep, days, updated_at) values ($1, 'use', 30, now())
      on conflict (organization_id) do update set keep = 'use'`,
    [organizationId],
  );
  await owner.query(
    `insert into client_counters (router_id, organization_id, device_id, day, read_at, content)
      select router_id, organization_id, id, (now() at time zone 'UTC')::date, now(), $2 from devices where id = $1
      on conflict (router_id) do update set content = excluded.content`,
    [deviceId, packCounters([{ ...client, today: { sent: 9, received: 9 } }])],
  );
};

export const fixtures: Fixtures = {
  'networks.read': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ query: { org, device, part: 'uplinks' } }),
    prepare: withRouter,
    shows: () => '"live":true',
  },
  'networks.repair': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ body: { org, device, cause: 'radio-off' } }),
    prepare: withRouter,
    shows: () => '"outcome":"done"',
  },
  'networks.clientUse': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ query: { org, device } }),
    prepare: withClientDay,
    shows: ({ name }) => `Phone of ${name}`,
  },
  'networks.exportClientUse': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ query: { org, device } }),
    prepare: withClientDay,
    shows: ({ name }) => `Phone of ${name}`,
  },
  'networks.clientSettings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org } }),
    shows: () => '"keep":',
  },
  'networks.saveClientSettings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, keep: 'list', days: 90 } }),
    shows: () => '"days":90',
  },
};
