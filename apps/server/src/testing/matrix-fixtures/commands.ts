import { listOf, withRouter, type Fixtures } from './fixture.ts';

export const commandFixtures: Fixtures = {
  'commands.list': listOf(({ commandId }) => commandId),
  'commands.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another command', kind: 'reboot' } }),
    shows: () => '"name":"Another command"',
  },
  'commands.save': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command }) => ({ params: { command }, body: { org, pinned: true } }),
    shows: () => '"pinned":true',
  },
  'commands.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command }) => ({ params: { command }, body: { org } }),
    shows: () => '"deleted":1',
  },
  'commands.run': {
    names: 'ids',
    make: ({ organizationId: org }, { commandId: command, looseDeviceId: device }) => ({
      params: { command },
      body: { org, device },
    }),
    prepare: withRouter,
    shows: () => '"outcome":"done"',
  },
  'commands.send': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ body: { org, device, kind: 'reboot', wait: 1 } }),
    shows: () => '"kind":"reboot"',
  },
  'commands.sent': listOf(({ sentCommandId }) => sentCommandId),
  'commands.cancel': {
    names: 'ids',
    make: ({ organizationId: org }, { sentCommandId: id }) => ({ params: { id }, body: { org } }),
    shows: () => '"state":"cancelled"',
  },
};
