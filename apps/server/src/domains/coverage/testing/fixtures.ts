import { cellToParent, latLngToCell } from 'h3-js';
import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

const CELL = latLngToCell(41.88, -87.63, 8);

/** A hexagon of today with a network of the tenant's name, and a vehicle that was compared. */
const covered: Pick<Fixture, 'prepare'> = {
  prepare: async ({ organizationId, deviceId, name }, _seeding, { owner }) => {
    for (const [cell, resolution] of [
      [CELL, 8],
      [cellToParent(CELL, 4), 4],
    ] as const)
      // prettier-ignore
      await owner.query(
        `insert into coverage_days (organization_id, cell, day, carrier, technology, resolution, samples, drops, lost_seconds, r17, q12)
         values ($1, $2, (now() at time zone 'UTC')::date, $3, 'LTE', $4, 7, 1, 600, 7, 7) on conflict do nothing`,
        [organizationId, cell, `Net ${name}`, resolution],
      );
    await owner.query(
      `insert into coverage_networks (organization_id, carrier, technology, last_day)
       values ($1, $2, 'LTE', (now() at time zone 'UTC')::date) on conflict do nothing`,
      [organizationId, `Net ${name}`],
    );
    await owner.query(
      `insert into coverage_vehicle_days values ($1, (now() at time zone 'UTC')::date, $2, $3, 'LTE', 4, 40, -480, 40, -80) on conflict do nothing`,
      [organizationId, deviceId, `Net ${name}`],
    );
    await owner.query(`select add_up_coverage_vehicles($1, (now() at time zone 'UTC')::date)`, [organizationId]);
  },
};
const ofOrganization = (shows: NonNullable<Fixture['shows']>): Fixture => ({
  ...covered,
  names: 'organization',
  make: (scope) => ({ query: { org: scope.organizationId } }),
  shows,
});

export const fixtures: Fixtures = {
  'coverage.cells': ofOrganization(({ name }) => `Net ${name}`),
  'coverage.deadZones': ofOrganization(() => CELL),
  'coverage.exportDeadZones': ofOrganization(() => CELL),
  'coverage.vehicles': ofOrganization(({ deviceId }) => deviceId),
  'coverage.exportVehicles': ofOrganization(({ serial }) => serial),
};
