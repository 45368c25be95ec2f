import * as accounts from './accounts/calls.zh-TW.ts';
import * as alerts from './alerts/calls.zh-TW.ts';
import * as analysis from './analysis/calls.zh-TW.ts';
import * as apiKeys from './api-keys/calls.zh-TW.ts';
import * as bulkJobs from './bulk-jobs/calls.zh-TW.ts';
import * as commands from './commands/calls.zh-TW.ts';
import * as configs from './configs/calls.zh-TW.ts';
import * as coverage from './coverage/calls.zh-TW.ts';
import * as devices from './devices/calls.zh-TW.ts';
import * as esims from './esims/calls.zh-TW.ts';
import * as firmware from './firmware/calls.zh-TW.ts';
import * as geofences from './geofences/calls.zh-TW.ts';
import * as groups from './groups/calls.zh-TW.ts';
import * as identityProviders from './identity-providers/calls.zh-TW.ts';
import * as inventory from './inventory/calls.zh-TW.ts';
import * as links from './links/calls.zh-TW.ts';
import * as logs from './logs/calls.zh-TW.ts';
import * as networks from './networks/calls.zh-TW.ts';
import * as notifications from './notifications/calls.zh-TW.ts';
import * as organizations from './organizations/calls.zh-TW.ts';
import * as outages from './outages/calls.zh-TW.ts';
import * as places from './places/calls.zh-TW.ts';
import * as positions from './positions/calls.zh-TW.ts';
import * as properties from './properties/calls.zh-TW.ts';
import * as routerSettings from './router-settings/calls.zh-TW.ts';
import * as recordings from './recordings/calls.zh-TW.ts';
import * as remoteAccess from './remote-access/calls.zh-TW.ts';
import * as reports from './reports/calls.zh-TW.ts';
import * as rollouts from './rollouts/calls.zh-TW.ts';
import * as scim from './scim/calls.zh-TW.ts';
import * as search from './search/calls.zh-TW.ts';
import * as periodSummaries from './summaries/calls.zh-TW.ts';
import * as tools from './tools/calls.zh-TW.ts';
import * as usage from './usage/calls.zh-TW.ts';
import * as views from './views/calls.zh-TW.ts';
import * as webhooks from './webhooks/calls.zh-TW.ts';

/** What each call does in Traditional Chinese, by its id. */
export const summaries: Readonly<Record<string, string>> = {
  'live.stream':
    '權限範圍內的變更，以伺服器傳送事件（Server-Sent Events）送出；可依 Last-Event-ID 接續，或從先前回應的 `highline-event-id` 之後開始。',
  ...accounts.summaries,
  ...alerts.summaries,
  ...analysis.summaries,
  ...apiKeys.summaries,
  ...bulkJobs.summaries,
  ...commands.summaries,
  ...configs.summaries,
  ...coverage.summaries,
  ...devices.summaries,
  ...esims.summaries,
  ...firmware.summaries,
  ...geofences.summaries,
  ...groups.summaries,
  ...identityProviders.summaries,
  ...inventory.summaries,
  ...links.summaries,
  ...logs.summaries,
  ...networks.summaries,
  ...notifications.summaries,
  ...organizations.summaries,
  ...outages.summaries,
  ...places.summaries,
  ...positions.summaries,
  ...properties.summaries,
  ...routerSettings.summaries,
  ...recordings.summaries,
  ...remoteAccess.summaries,
  ...reports.summaries,
  ...rollouts.summaries,
  ...scim.summaries,
  ...search.summaries,
  ...periodSummaries.summaries,
  ...tools.summaries,
  ...usage.summaries,
  ...views.summaries,
  ...webhooks.summaries,
};

/** The areas of the calls: the part of an id before the dot. */
export const areas: Readonly<Record<string, string>> = {
  live: '即時更新',
  ...accounts.areas,
  ...alerts.areas,
  ...analysis.areas,
  ...apiKeys.areas,
  ...bulkJobs.areas,
  ...commands.areas,
  ...configs.areas,
  ...coverage.areas,
  ...devices.areas,
  ...esims.areas,
  ...firmware.areas,
  ...geofences.areas,
  ...groups.areas,
  ...identityProviders.areas,
  ...inventory.areas,
  ...links.areas,
  ...logs.areas,
  ...networks.areas,
  ...notifications.areas,
  ...organizations.areas,
  ...outages.areas,
  ...places.areas,
  ...positions.areas,
  ...properties.areas,
  ...routerSettings.areas,
  ...recordings.areas,
  ...remoteAccess.areas,
  ...reports.areas,
  ...rollouts.areas,
  ...scim.areas,
  ...search.areas,
  ...periodSummaries.areas,
  ...tools.areas,
  ...usage.areas,
  ...views.areas,
  ...webhooks.areas,
};
