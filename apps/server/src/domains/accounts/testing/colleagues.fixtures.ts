import { randomUUID } from 'node:crypto';
import { nothing, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'colleagues.list': { ...nothing, shows: (tenant) => tenant.colleagueId },
  'colleagues.invite': {
    names: 'nothing',
    make: () => ({ body: { email: `${randomUUID()}@highline.invalid`, name: 'New' } }),
    shows: () => '"role":"vendorSuper"',
  },
  'colleagues.delete': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.colleagueId } }),
    shows: () => '"deleted":1',
  },
};
