import { listSpec } from '../../ui/list/spec.ts';

/** /groups/config: the config files of an organization (CFG-01). */
export const configList = listSpec({
  id: 'configs',
  defaultSize: 3,
  sorts: ['name', 'note', 'size', 'updated', 'created'],
  fields: ['name', 'note'],
  filters: {},
});
