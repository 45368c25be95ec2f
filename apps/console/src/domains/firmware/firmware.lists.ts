import { firmware } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /groups/firmwares and /devices/firmware: the firmware released by the main account (FWR-01). */
export const firmwareList = listSpec({
  id: 'firmware',
  defaultSize: 3,
  sorts: firmware.firmwareSorts,
  fields: ['note', 'version', 'profile'],
  filters: {},
});
