import { esims } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /devices/esimsList: the eSIM profiles of an organization (SIM-01). */
export const esimList = listSpec({
  id: 'esims',
  defaultSize: 3,
  sorts: esims.profileSorts,
  fields: ['serial', 'name', 'carrier', 'iccid', 'apn'],
  filters: { status: esims.profileStatusFilters },
});
