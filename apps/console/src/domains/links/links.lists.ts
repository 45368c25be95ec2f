import { listSpec } from '../../ui/list/spec.ts';

/** /links: links that show vehicles, the newest first; the vehicle or group of a new one is part of the address (RPM-06). */
export const linkList = listSpec({
  id: 'links',
  defaultSize: 10,
  sorts: [],
  fields: [],
  filters: { org: 'text' },
  keeps: ['device', 'group'],
});
