// Written by `npm run openapi` from the folders of the domains.
import { errors as accounts } from '../accounts/errors.ts';
import { errors as alerts } from '../alerts/errors.ts';
import { errors as analysis } from '../analysis/errors.ts';
import { errors as apiKeys } from '../api-keys/errors.ts';
import { errors as approvals } from '../approvals/errors.ts';
import { errors as bulkJobs } from '../bulk-jobs/errors.ts';
import { errors as commands } from '../commands/errors.ts';
import { errors as configs } from '../configs/errors.ts';
import { errors as devices } from '../devices/errors.ts';
import { errors as esims } from '../esims/errors.ts';
import { errors as firmware } from '../firmware/errors.ts';
import { errors as geofences } from '../geofences/errors.ts';
import { errors as groups } from '../groups/errors.ts';
import { errors as identityProviders } from '../identity-providers/errors.ts';
import { errors as inventory } from '../inventory/errors.ts';
import { errors as links } from '../links/errors.ts';
import { errors as networks } from '../networks/errors.ts';
import { errors as notifications } from '../notifications/errors.ts';
import { errors as organizations } from '../organizations/errors.ts';
import { errors as positions } from '../positions/errors.ts';
import { errors as properties } from '../properties/errors.ts';
import { errors as remoteAccess } from '../remote-access/errors.ts';
import { errors as reports } from '../reports/errors.ts';
import { errors as roles } from '../roles/errors.ts';
import { errors as rollouts } from '../rollouts/errors.ts';
import { errors as routerBackups } from '../router-backups/errors.ts';
import { errors as routerSettings } from '../router-settings/errors.ts';
import { errors as scim } from '../scim/errors.ts';
import { errors as summaries } from '../summaries/errors.ts';
import { errors as tools } from '../tools/errors.ts';
import { errors as usage } from '../usage/errors.ts';
import { errors as views } from '../views/errors.ts';
import { errors as visits } from '../visits/errors.ts';
import { errors as webhooks } from '../webhooks/errors.ts';

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
