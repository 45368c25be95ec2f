import { devices, diagnosisFilters, healthFilters } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** What the page of an organization has in its address: whose page it is, and its tab. */
const organizationPage = ['org', 'tab'];

const attention = {
  offline: devices.offlineFilters,
  signal: ['weak'],
  sim: ['failed'],
  position: devices.positionFilters,
  connection: ['rejected'],
  health: healthFilters,
  diagnosis: diagnosisFilters,
} as const;

/** /devices/list: the devices of an organization (DEV-01, DEV-02). */
export const deviceList = listSpec({
  id: 'devices',
  defaultSize: 3,
  sorts: devices.deviceSorts,
  fields: ['any', 'serial', 'vehicle', 'group', 'config'],
  unlisted: 'any',
  filters: {
    service: devices.subscriptionFilters,
    presence: devices.presenceFilters,
    ...attention,
    geofence: 'text',
    group: 'text',
    carrier: 'text',
    tag: 'text',
  },
});

/** /devices/orgList: the devices of all organizations of a main account, or of one (OGL-01 … 03). */
export const orgDeviceList = listSpec({
  id: 'org-devices',
  defaultSize: 3,
  sorts: devices.deviceSorts,
  fields: ['any', 'serial', 'organization', 'vehicle'],
  unlisted: 'any',
  filters: {
    service: devices.subscriptionFilters,
    presence: devices.presenceFilters,
    ...attention,
    expiration: devices.expirationFilters,
    tag: 'text',
    group: 'text',
    org: 'text',
  },
});

/** The same on the page of an organization (ATT-03). */
export const organizationDeviceList: typeof orgDeviceList = { ...orgDeviceList, keeps: organizationPage };
