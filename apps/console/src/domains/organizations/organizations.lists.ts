import { organizations } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /organization: the organizations of a main account (ORG-01). */
export const organizationList = listSpec({
  id: 'organizations',
  defaultSize: 10,
  sorts: organizations.organizationSorts,
  fields: organizations.organizationFields,
  filters: {},
});
