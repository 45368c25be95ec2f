import { withMessages } from '../../i18n/i18n.ts';

/** The list of groups as a part of the page of an organization. */
export const loadGroupList = withMessages(['groups', 'rollouts'], () => import('./GroupList.tsx'));
