import { colleagues } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /colleagues: the main account's own people. */
export const colleagueList = listSpec({
  id: 'colleagues',
  defaultSize: 10,
  sorts: colleagues.colleagueSorts,
  fields: colleagues.colleagueFields,
  filters: {},
});
