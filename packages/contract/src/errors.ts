import { errors as accounts } from './accounts/errors.ts';
import { errors as alerts } from './alerts/errors.ts';
import { errors as analysis } from './analysis/errors.ts';
import { errors as apiKeys } from './api-keys/errors.ts';
import { errors as bulkJobs } from './bulk-jobs/errors.ts';
import { errors as commands } from './commands/errors.ts';
import { errors as configs } from './configs/errors.ts';
import { errors as devices } from './devices/errors.ts';
import { errors as esims } from './esims/errors.ts';
import { errors as firmware } from './firmware/errors.ts';
import { errors as geofences } from './geofences/errors.ts';
import { errors as groups } from './groups/errors.ts';
import { errors as identityProviders } from './identity-providers/errors.ts';
import { errors as inventory } from './inventory/errors.ts';
import { errors as links } from './links/errors.ts';
import { errors as networks } from './networks/errors.ts';
import { errors as notifications } from './notifications/errors.ts';
import { errors as organizations } from './organizations/errors.ts';
import { errors as positions } from './positions/errors.ts';
import { errors as properties } from './properties/errors.ts';
import { errors as routerSettings } from './router-settings/errors.ts';
import { errors as remoteAccess } from './remote-access/errors.ts';
import { errors as reports } from './reports/errors.ts';
import { errors as rollouts } from './rollouts/errors.ts';
import { errors as scim } from './scim/errors.ts';
import { errors as summaries } from './summaries/errors.ts';
import { errors as tools } from './tools/errors.ts';
import { errors as usage } from './usage/errors.ts';
import { errors as views } from './views/errors.ts';
import { errors as webhooks } from './webhooks/errors.ts';
import { failureRow as failure } from './failure-row.ts';

/** The failures that a person meets in the console, which has a text of its own for each; see `failures`. */
export const failuresOfPeople = {
  'request.invalid': failure(400, 'The request is not valid.'),
  'request.too_large': failure(413, 'The request is too large.'),
  'request.unsupported_media_type': failure(415, 'This content type is not supported.'),
  'request.origin': failure(403, 'This request came from another site and was rejected.'),
  'request.too_many': failure(429, 'Too many of your requests of this kind are still running. Wait a moment and try again.'),
  'permission.denied': failure(403, 'Permission denied'),
  /** The database was restored, and not the master key; or the row was changed. */
  'secret.unreadable': failure(
    409,
    'A stored secret cannot be opened with the master key of this server. Enter it again, or have the operator restore the key.',
  ),
  not_found: failure(404, 'Not found'),
  'conflict.stale': failure(412, 'Someone else changed this. Check the current values.'),
  'request.org_required': failure(400, 'Please select an org'),
  'impact.changed': failure(409, 'The effect of this change is no longer what was shown. Check it again.'),
  'export.too_large': failure(413, 'A workbook can hold at most 100,000 rows. Narrow the query, or save it as CSV.'),
  'csv.not_csv': failure(400, 'file type error'),
  'csv.header': failure(400, 'The first line must contain the column names.'),
  'csv.dates_ambiguous': failure(
    400,
    'Dates of the file can be read in two ways. Choose whether the day or the month comes first.',
  ),
  'csv.empty': failure(400, 'The file has no rows.'),
  'csv.all_failed': failure(400, 'None of the rows could be added.'),
  'server.busy': failure(503, 'The server is busy. Try again in a moment.'),
  'server.fault': failure(500, 'Something went wrong on our side. Nothing was changed; try again.'),
  ...accounts,
  ...alerts,
  ...analysis,
  ...apiKeys,
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
  ...routerSettings,
  ...remoteAccess,
  ...reports,
  ...rollouts,
  ...scim,
  ...summaries,
  ...tools,
  ...usage,
  ...views,
  ...webhooks,
} as const;
