import { listSpec } from '../../ui/list/spec.ts';

/** /groups/settings/devices: devices with the state of their settings (TPL-05). */
export const settingsList = listSpec({
  id: 'router-settings',
  defaultSize: 20,
  sorts: [],
  fields: [],
  filters: { group: 'text', state: ['as-set', 'differs', 'incomplete', 'not-readable', 'not-sent', 'none'] },
  keeps: ['group'],
});
