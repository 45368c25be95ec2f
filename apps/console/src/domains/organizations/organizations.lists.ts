import { organizations } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /organization: the organizations of a main account (ORG-01). */
export const organizationList = listSpec({
  id: 'organizations',
  defaultSize: 10,
  sorts: organizations.organizationSorts,
  fields: organizations.organizationFields,
  filters: { rollout: organizations.rolloutFilters },
});

/** The same while organizations are picked to be deleted: few to a page. */
export const deletingList = listSpec({
  id: 'organizations-deleting',
  defaultSize: 3,
  sorts: organizations.organizationSorts,
  fields: organizations.organizationFields,
  filters: { rollout: organizations.rolloutFilters },
});
