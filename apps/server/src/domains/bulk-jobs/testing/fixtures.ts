import { listOf, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

const chosen: Fixture['make'] = ({ organizationId: org, looseDeviceId }, ids) => ({
  body: {
    org,
    action: { kind: 'delete' },
    selection: { devices: [...new Set([looseDeviceId, ids.looseDeviceId])] },
  },
});

export const fixtures: Fixtures = {
  'devices.exportChosen': {
    names: 'ids',
    make: ({ organizationId: org, deviceId }, ids) => ({ body: { org, devices: [...new Set([deviceId, ids.deviceId])] } }),
    shows: ({ serial }) => serial,
  },
  'devices.tags': listOf(() => '"tag":"matrix"'),
  'jobs.list': listOf(({ jobs }) => jobs.tags),
  'jobs.get': {
    names: 'ids',
    make: ({ organizationId: org }, { jobs }) => ({ params: { job: jobs.tags }, query: { org } }),
    shows: ({ jobs }) => jobs.tags,
  },
  'jobs.items': {
    names: 'ids',
    make: ({ organizationId: org }, { jobs }) => ({ params: { job: jobs.tags }, query: { org } }),
    shows: ({ looseDeviceId }) => looseDeviceId,
  },
  'jobs.preview': { names: 'ids', make: chosen, shows: () => '"devices":1' },
  'jobs.start': { names: 'ids', make: chosen, shows: () => '"done":1' },
  'jobs.cancel': {
    names: 'ids',
    make: ({ organizationId: org }, { jobs }) => ({ params: { job: jobs.active }, body: { org } }),
    shows: () => '"state":"cancelled"',
  },
  'jobs.retry': {
    names: 'ids',
    make: ({ organizationId: org }, { jobs }) => ({ params: { job: jobs.failed }, body: { org } }),
    shows: () => '"done":1',
  },
  'jobs.undo': {
    names: 'ids',
    make: ({ organizationId: org }, { jobs }, role) => ({
      params: { job: role === 'main' ? jobs.subscription : jobs.tags },
      body: { org },
    }),
    shows: () => '"done":1',
  },
};
