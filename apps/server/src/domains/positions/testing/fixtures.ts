import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

/** A device with a position a minute ago. */
const withTrail: NonNullable<Fixture['prepare']> = async ({ serial }, _seeding, { owner }) => {
  await owner.query(
    `with moment as (select date_trunc('second', now() - interval '1 minute') as at)
     insert into positions (router_id, at, latitude, longitude, is_jump)
     select o.router_id, greatest(m.at, date_trunc('second', o.owned_from) + interval '1 second'), 41.88123, -87.63, false
     from moment m, routers r join router_ownership o on o.router_id = r.id where r.serial = $1 on conflict do nothing`,
    [serial],
  );
};

/** A device with a newest position. */
const withPosition: NonNullable<Fixture['prepare']> = async ({ serial }, _seeding, { owner }) => {
  await owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
     select id, date_trunc('second', now()) + interval '1 second', 41.88, -87.63, false, now() from routers where serial = $1 on conflict (router_id) do nothing`,
    [serial],
  );
};

export const fixtures: Fixtures = {
  'positions.map': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId } }),
    prepare: withPosition,
    shows: ({ deviceId }) => deviceId,
  },
  'positions.feed': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, format: 'geojson' } }),
    prepare: withPosition,
    shows: ({ deviceId }) => deviceId,
  },
  'positions.trail': {
    names: 'ids',
    make: (scope, { deviceId }) => ({ query: { org: scope.organizationId, device: deviceId } }),
    prepare: withTrail,
    shows: () => '41.88123',
  },
  'positions.trailFile': {
    names: 'ids',
    make: (scope, { deviceId }) => ({ query: { org: scope.organizationId, device: deviceId, format: 'geojson' } }),
    prepare: withTrail,
    shows: () => '41.88123',
  },
};
