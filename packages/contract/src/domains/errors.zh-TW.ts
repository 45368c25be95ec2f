// Written by `npm run openapi` from the folders of the domains.
import { errors as accounts } from '../accounts/errors.zh-TW.ts';
import { errors as alerts } from '../alerts/errors.zh-TW.ts';
import { errors as analysis } from '../analysis/errors.zh-TW.ts';
import { errors as apiKeys } from '../api-keys/errors.zh-TW.ts';
import { errors as approvals } from '../approvals/errors.zh-TW.ts';
import { errors as bulkJobs } from '../bulk-jobs/errors.zh-TW.ts';
import { errors as commands } from '../commands/errors.zh-TW.ts';
import { errors as configs } from '../configs/errors.zh-TW.ts';
import { errors as devices } from '../devices/errors.zh-TW.ts';
import { errors as esims } from '../esims/errors.zh-TW.ts';
import { errors as firmware } from '../firmware/errors.zh-TW.ts';
import { errors as geofences } from '../geofences/errors.zh-TW.ts';
import { errors as groups } from '../groups/errors.zh-TW.ts';
import { errors as identityProviders } from '../identity-providers/errors.zh-TW.ts';
import { errors as inventory } from '../inventory/errors.zh-TW.ts';
import { errors as links } from '../links/errors.zh-TW.ts';
import { errors as networks } from '../networks/errors.zh-TW.ts';
import { errors as notifications } from '../notifications/errors.zh-TW.ts';
import { errors as organizations } from '../organizations/errors.zh-TW.ts';
import { errors as positions } from '../positions/errors.zh-TW.ts';
import { errors as properties } from '../properties/errors.zh-TW.ts';
import { errors as remoteAccess } from '../remote-access/errors.zh-TW.ts';
import { errors as reports } from '../reports/errors.zh-TW.ts';
import { errors as roles } from '../roles/errors.zh-TW.ts';
import { errors as rollouts } from '../rollouts/errors.zh-TW.ts';
import { errors as routerBackups } from '../router-backups/errors.zh-TW.ts';
import { errors as routerSettings } from '../router-settings/errors.zh-TW.ts';
import { errors as scim } from '../scim/errors.zh-TW.ts';
import { errors as summaries } from '../summaries/errors.zh-TW.ts';
import { errors as tools } from '../tools/errors.zh-TW.ts';
import { errors as usage } from '../usage/errors.zh-TW.ts';
import { errors as views } from '../views/errors.zh-TW.ts';
import { errors as visits } from '../visits/errors.zh-TW.ts';
import { errors as webhooks } from '../webhooks/errors.zh-TW.ts';

export const errors = {
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
  ...positions,
  ...properties,
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
