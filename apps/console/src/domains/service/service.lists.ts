import { devices } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /devices/service: the subscriptions of an organization's devices (SVC-01). */
export const serviceList = listSpec({
  id: 'service',
  defaultSize: 3,
  sorts: devices.deviceSorts,
  fields: ['any', 'serial', 'note'],
  unlisted: 'any',
  filters: {
    service: devices.subscriptionFilters,
    expiration: devices.expirationFilters,
    group: 'text',
  },
});
