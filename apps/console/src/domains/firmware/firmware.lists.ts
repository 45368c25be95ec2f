import { listSpec } from '../../ui/list/spec.ts';

/** /groups/firmwares and /devices/firmware: the firmware released by the main account (FWR-01). */
export const firmwareList = listSpec({
  id: 'firmware',
  defaultSize: 3,
  sorts: ['version', 'profile', 'size', 'updated', 'created'],
  fields: ['note', 'version', 'profile'],
  filters: {},
});
