import type { Fixtures } from './fixture.ts';

export const positionFixtures: Fixtures = {
  'positions.map': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId } }),
    prepare: async ({ serial }, _seeding, { owner }) => {
      await owner.query(
        `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
         select id, now(), 41.88, -87.63, false, now() from routers where serial = $1 on conflict (router_id) do nothing`,
        [serial],
      );
    },
    shows: ({ deviceId }) => deviceId,
  },
};
