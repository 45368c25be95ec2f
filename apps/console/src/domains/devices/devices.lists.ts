import { devices } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /devices/list: the devices of an organization (DEV-01, DEV-02). */
export const deviceList = listSpec({
  id: 'devices',
  defaultSize: 3,
  sorts: devices.deviceSorts,
  fields: ['serial', 'vehicle', 'group', 'config'],
  filters: {
    service: devices.subscriptionFilters,
    presence: ['online', 'offline'],
    group: 'text',
    carrier: 'text',
  },
});

/** /devices/orgList: the devices of all organizations of a main account, or of one (OGL-01 … 03). */
export const orgDeviceList = listSpec({
  id: 'org-devices',
  defaultSize: 3,
  sorts: devices.deviceSorts,
  fields: ['serial', 'organization'],
  filters: {
    service: devices.subscriptionFilters,
    expiration: devices.expirationFilters,
    org: 'text',
  },
});
