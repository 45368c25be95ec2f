import { latLngToCell } from 'h3-js';
import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

const CELL = latLngToCell(41.88, -87.63, 8);

/** An outage of today on a network of the tenant's name. */
const lost: Pick<Fixture, 'prepare'> = {
  prepare: async ({ organizationId, deviceId, name }, _seeding, { owner }) => {
    await owner.query(
      `insert into outages (organization_id, device_id, router_id, began_at, kind, reason, carrier, technology, serving_cell, latitude, longitude, hexagon)
       select $1, $2, d.router_id, now() - interval '1 hour', 'lost', 'no-answer', $3, 'LTE', '', 41.88, -87.63, $4 from devices d where d.id = $2
       on conflict do nothing`,
      [organizationId, deviceId, `Net ${name}`, CELL],
    );
  },
};
const ofOrganization = (shows: NonNullable<Fixture['shows']>, query: Readonly<Record<string, string>> = {}): Fixture => ({
  ...lost,
  names: 'organization',
  make: (scope) => ({ query: { org: scope.organizationId, ...query } }),
  shows,
});
const network: NonNullable<Fixture['shows']> = ({ name }) => `Net ${name}`;

export const fixtures: Fixtures = {
  'outages.listOutages': ofOrganization(network),
  'outages.exportOutages': ofOrganization(network),
  'outages.sumOutages': ofOrganization(network, { by: 'carriers' }),
  'outages.exportSums': ofOrganization(network, { by: 'carriers' }),
  'outages.evidencePack': {
    ...lost,
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, device: ids.deviceId } }),
    shows: () => '%PDF-',
  },
};
