import { withRouter, type Fixtures } from '../../../testing/fixture.ts';

const values = [{ path: 'WiFi.SSID[name=passengers].SSID', value: 'Imported {{serial}}' }];
const profile = { format: 'highline-settings-profile', version: 1, name: '', values };

export const fixtures: Fixtures = {
  'settings.profile': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group }) => ({ query: { org, group } }),
    shows: () => 'highline-settings-profile',
  },
  'settings.running': {
    names: 'ids',
    make: ({ organizationId: org }, { looseDeviceId: device }) => ({ query: { org, device } }),
    prepare: withRouter,
    shows: ({ loose }) => loose.serial,
  },
  'settings.importProfile': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group }) => ({ body: { org, group, profile } }),
    shows: () => '"saved":true',
  },
};
