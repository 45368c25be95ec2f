import { withRouter, type Fixtures } from './fixture.ts';

export const networkFixtures: Fixtures = {
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
};
