// Written by `npm run openapi` from the folders of the domains.
import * as accountsTexts from '../accounts/calls.zh-TW.ts';
import * as alertsTexts from '../alerts/calls.zh-TW.ts';
import * as analysisTexts from '../analysis/calls.zh-TW.ts';
import * as apiKeysTexts from '../api-keys/calls.zh-TW.ts';
import * as approvalsTexts from '../approvals/calls.zh-TW.ts';
import * as bulkJobsTexts from '../bulk-jobs/calls.zh-TW.ts';
import * as commandsTexts from '../commands/calls.zh-TW.ts';
import * as configsTexts from '../configs/calls.zh-TW.ts';
import * as coverageTexts from '../coverage/calls.zh-TW.ts';
import * as devicesTexts from '../devices/calls.zh-TW.ts';
import * as esimsTexts from '../esims/calls.zh-TW.ts';
import * as firmwareTexts from '../firmware/calls.zh-TW.ts';
import * as geofencesTexts from '../geofences/calls.zh-TW.ts';
import * as groupsTexts from '../groups/calls.zh-TW.ts';
import * as identityProvidersTexts from '../identity-providers/calls.zh-TW.ts';
import * as inventoryTexts from '../inventory/calls.zh-TW.ts';
import * as linksTexts from '../links/calls.zh-TW.ts';
import * as logsTexts from '../logs/calls.zh-TW.ts';
import * as networksTexts from '../networks/calls.zh-TW.ts';
import * as notificationsTexts from '../notifications/calls.zh-TW.ts';
import * as organizationsTexts from '../organizations/calls.zh-TW.ts';
import * as outagesTexts from '../outages/calls.zh-TW.ts';
import * as placesTexts from '../places/calls.zh-TW.ts';
import * as positionsTexts from '../positions/calls.zh-TW.ts';
import * as propertiesTexts from '../properties/calls.zh-TW.ts';
import * as recordingsTexts from '../recordings/calls.zh-TW.ts';
import * as remoteAccessTexts from '../remote-access/calls.zh-TW.ts';
import * as reportsTexts from '../reports/calls.zh-TW.ts';
import * as rolesTexts from '../roles/calls.zh-TW.ts';
import * as rolloutsTexts from '../rollouts/calls.zh-TW.ts';
import * as routerBackupsTexts from '../router-backups/calls.zh-TW.ts';
import * as routerSettingsTexts from '../router-settings/calls.zh-TW.ts';
import * as scimTexts from '../scim/calls.zh-TW.ts';
import * as searchTexts from '../search/calls.zh-TW.ts';
import * as summariesTexts from '../summaries/calls.zh-TW.ts';
import * as toolsTexts from '../tools/calls.zh-TW.ts';
import * as usageTexts from '../usage/calls.zh-TW.ts';
import * as viewsTexts from '../views/calls.zh-TW.ts';
import * as visitsTexts from '../visits/calls.zh-TW.ts';
import * as webhooksTexts from '../webhooks/calls.zh-TW.ts';

export const summaries: Readonly<Record<string, string>> = {
  ...accountsTexts.summaries,
  ...alertsTexts.summaries,
  ...analysisTexts.summaries,
  ...apiKeysTexts.summaries,
  ...approvalsTexts.summaries,
  ...bulkJobsTexts.summaries,
  ...commandsTexts.summaries,
  ...configsTexts.summaries,
  ...coverageTexts.summaries,
  ...devicesTexts.summaries,
  ...esimsTexts.summaries,
  ...firmwareTexts.summaries,
  ...geofencesTexts.summaries,
  ...groupsTexts.summaries,
  ...identityProvidersTexts.summaries,
  ...inventoryTexts.summaries,
  ...linksTexts.summaries,
  ...logsTexts.summaries,
  ...networksTexts.summaries,
  ...notificationsTexts.summaries,
  ...organizationsTexts.summaries,
  ...outagesTexts.summaries,
  ...placesTexts.summaries,
  ...positionsTexts.summaries,
  ...propertiesTexts.summaries,
  ...recordingsTexts.summaries,
  ...remoteAccessTexts.summaries,
  ...reportsTexts.summaries,
  ...rolesTexts.summaries,
  ...rolloutsTexts.summaries,
  ...routerBackupsTexts.summaries,
  ...routerSettingsTexts.summaries,
  ...scimTexts.summaries,
  ...searchTexts.summaries,
  ...summariesTexts.summaries,
  ...toolsTexts.summaries,
  ...usageTexts.summaries,
  ...viewsTexts.summaries,
  ...visitsTexts.summaries,
  ...webhooksTexts.summaries,
};

export const areas: Readonly<Record<string, string>> = {
  ...accountsTexts.areas,
  ...alertsTexts.areas,
  ...analysisTexts.areas,
  ...apiKeysTexts.areas,
  ...approvalsTexts.areas,
  ...bulkJobsTexts.areas,
  ...commandsTexts.areas,
  ...configsTexts.areas,
  ...coverageTexts.areas,
  ...devicesTexts.areas,
  ...esimsTexts.areas,
  ...firmwareTexts.areas,
  ...geofencesTexts.areas,
  ...groupsTexts.areas,
  ...identityProvidersTexts.areas,
  ...inventoryTexts.areas,
  ...linksTexts.areas,
  ...logsTexts.areas,
  ...networksTexts.areas,
  ...notificationsTexts.areas,
  ...organizationsTexts.areas,
  ...outagesTexts.areas,
  ...placesTexts.areas,
  ...positionsTexts.areas,
  ...propertiesTexts.areas,
  ...recordingsTexts.areas,
  ...remoteAccessTexts.areas,
  ...reportsTexts.areas,
  ...rolesTexts.areas,
  ...rolloutsTexts.areas,
  ...routerBackupsTexts.areas,
  ...routerSettingsTexts.areas,
  ...scimTexts.areas,
  ...searchTexts.areas,
  ...summariesTexts.areas,
  ...toolsTexts.areas,
  ...usageTexts.areas,
  ...viewsTexts.areas,
  ...visitsTexts.areas,
  ...webhooksTexts.areas,
};
