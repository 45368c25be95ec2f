import { withMessages } from '../../i18n/i18n.ts';

/** The list of devices as a part of the page of an organization. */
export const loadOrgDeviceList = withMessages(
  ['bulkJobs', 'commands', 'deviceForms', 'groups', 'transfer'],
  () => import('./OrgDeviceList.tsx'),
);
