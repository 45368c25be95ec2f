import { withMessages } from '../../i18n/i18n.ts';

/** The list of users as a part of the page of an organization. */
export const loadUserList = withMessages(['users'], () => import('./UserList.tsx'));
