import { listSpec } from '../../ui/list/spec.ts';

/** /access: support and guests, the newest first; `mine`: those that the person may enter (IAM-05). */
export const visitList = listSpec({
  id: 'visits',
  defaultSize: 10,
  sorts: [],
  fields: [],
  filters: { mine: ['true'] },
});
