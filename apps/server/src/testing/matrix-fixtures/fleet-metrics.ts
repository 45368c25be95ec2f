import { listOf, type Fixtures } from './fixture.ts';

export const fleetMetricsFixtures: Fixtures = {
  'metrics.read': listOf(({ organizationId }) => `organization_id="${organizationId}"`),
};
