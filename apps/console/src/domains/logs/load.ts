import { withMessages } from '../../i18n/i18n.ts';

/** The log as a part of the page of an organization. */
export const loadLogList = withMessages(['logs'], () => import('./LogList.tsx'));
