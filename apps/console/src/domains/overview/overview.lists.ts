import { devices } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** The table Devices and SIMs of /dashboard (OVW-05), and the carrier selected in the chart (OVW-04). */
export const overviewList = listSpec({
  id: 'overview',
  defaultSize: 3,
  sorts: devices.deviceSorts,
  fields: ['serial'],
  filters: { chart: 'text' },
});
