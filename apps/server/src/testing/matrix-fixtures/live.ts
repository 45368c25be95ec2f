import type { Fixtures } from './fixture.ts';

export const liveFixtures: Fixtures = {
  'live.stream': { names: 'organization', make: (scope) => ({ query: { org: scope.organizationId } }) },
};
