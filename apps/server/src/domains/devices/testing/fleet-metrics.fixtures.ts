import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'metrics.read': listOf(({ organizationId }) => `organization_id="${organizationId}"`),
};
