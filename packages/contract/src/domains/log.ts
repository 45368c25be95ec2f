// Written by `npm run openapi` from the folders of the domains.
import { log as accounts } from '../accounts/log.ts';
import { log as alerts } from '../alerts/log.ts';
import { log as analysis } from '../analysis/log.ts';
import { log as apiKeys } from '../api-keys/log.ts';
import { log as approvals } from '../approvals/log.ts';
import { log as bulkJobs } from '../bulk-jobs/log.ts';
import { log as commands } from '../commands/log.ts';
import { log as configs } from '../configs/log.ts';
import { log as devices } from '../devices/log.ts';
import { log as esims } from '../esims/log.ts';
import { log as firmware } from '../firmware/log.ts';
import { log as geofences } from '../geofences/log.ts';
import { log as groups } from '../groups/log.ts';
import { log as identityProviders } from '../identity-providers/log.ts';
import { log as inventory } from '../inventory/log.ts';
import { log as links } from '../links/log.ts';
import { log as networks } from '../networks/log.ts';
import { log as notifications } from '../notifications/log.ts';
import { log as organizations } from '../organizations/log.ts';
import { log as properties } from '../properties/log.ts';
import { log as recordings } from '../recordings/log.ts';
import { log as remoteAccess } from '../remote-access/log.ts';
import { log as reports } from '../reports/log.ts';
import { log as roles } from '../roles/log.ts';
import { log as rollouts } from '../rollouts/log.ts';
import { log as routerBackups } from '../router-backups/log.ts';
import { log as routerSettings } from '../router-settings/log.ts';
import { log as scim } from '../scim/log.ts';
import { log as summaries } from '../summaries/log.ts';
import { log as tools } from '../tools/log.ts';
import { log as usage } from '../usage/log.ts';
import { log as views } from '../views/log.ts';
import { log as visits } from '../visits/log.ts';
import { log as webhooks } from '../webhooks/log.ts';

export const log = {
  ...accounts,
  ...alerts,
  ...analysis,
  ...apiKeys,
  ...approvals,
  ...bulkJobs,
  ...commands,
  ...configs,
  ...devices,
  ...esims,
  ...firmware,
  ...geofences,
  ...groups,
  ...identityProviders,
  ...inventory,
  ...links,
  ...networks,
  ...notifications,
  ...organizations,
  ...properties,
  ...recordings,
  ...remoteAccess,
  ...reports,
  ...roles,
  ...rollouts,
  ...routerBackups,
  ...routerSettings,
  ...scim,
  ...summaries,
  ...tools,
  ...usage,
  ...views,
  ...visits,
  ...webhooks,
} as const;
