import { listSpec } from '../../ui/list/spec.ts';

/** /colleagues: the main account's own people. */
export const colleagueList = listSpec({
  id: 'colleagues',
  defaultSize: 10,
  sorts: ['name', 'email', 'signedIn'],
  fields: ['name', 'email'],
  filters: {},
});
