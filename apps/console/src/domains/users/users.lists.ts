import { accounts } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /users: the cloud users of an organization (USR-01). */
export const userList = listSpec({
  id: 'users',
  defaultSize: 3,
  sorts: accounts.accountSorts,
  fields: accounts.accountFields,
  filters: { role: accounts.accountRoles },
});

/** The same on the page of an organization (ATT-03). */
export const organizationUserList: typeof userList = { ...userList, keeps: ['org', 'tab'] };
