/**
 * Catalogues that are loaded with the screens of their domain, so that the first screen stays small: one row per namespace and one
 * file per language, whose export has the namespace's name.
 */
export const lazyCatalogues = {
  views: {
    'en-US': () => import('../api/views/views.en-US.ts'),
    'zh-TW': () => import('../api/views/views.zh-TW.ts'),
  },
  palette: {
    'en-US': () => import('../app/shell/palette/palette.en-US.ts'),
    'zh-TW': () => import('../app/shell/palette/palette.zh-TW.ts'),
  },
  deviceForms: {
    'en-US': () => import('../domains/devices/device-forms.en-US.ts'),
    'zh-TW': () => import('../domains/devices/device-forms.zh-TW.ts'),
  },
  devicePage: {
    'en-US': () => import('../domains/devices/setting/device-page.en-US.ts'),
    'zh-TW': () => import('../domains/devices/setting/device-page.zh-TW.ts'),
  },
  transfer: {
    'en-US': () => import('../domains/devices/transfer/transfer.en-US.ts'),
    'zh-TW': () => import('../domains/devices/transfer/transfer.zh-TW.ts'),
  },
  timeline: {
    'en-US': () => import('../domains/devices/setting/timeline.en-US.ts'),
    'zh-TW': () => import('../domains/devices/setting/timeline.zh-TW.ts'),
  },
  remote: {
    'en-US': () => import('../domains/remote-access/remote-access.en-US.ts'),
    'zh-TW': () => import('../domains/remote-access/remote-access.zh-TW.ts'),
  },
  alerts: {
    'en-US': () => import('../domains/alerts/alerts.en-US.ts'),
    'zh-TW': () => import('../domains/alerts/alerts.zh-TW.ts'),
  },
  apiKeys: {
    'en-US': () => import('../domains/api-keys/api-keys.en-US.ts'),
    'zh-TW': () => import('../domains/api-keys/api-keys.zh-TW.ts'),
  },
  webhooks: {
    'en-US': () => import('../domains/webhooks/webhooks.en-US.ts'),
    'zh-TW': () => import('../domains/webhooks/webhooks.zh-TW.ts'),
  },
  bulkJobs: {
    'en-US': () => import('../domains/bulk-jobs/bulk-jobs.en-US.ts'),
    'zh-TW': () => import('../domains/bulk-jobs/bulk-jobs.zh-TW.ts'),
  },
  positions: {
    'en-US': () => import('../domains/positions/positions.en-US.ts'),
    'zh-TW': () => import('../domains/positions/positions.zh-TW.ts'),
  },
  coverage: {
    'en-US': () => import('../domains/coverage/coverage.en-US.ts'),
    'zh-TW': () => import('../domains/coverage/coverage.zh-TW.ts'),
  },
  geofences: {
    'en-US': () => import('../domains/geofences/geofences.en-US.ts'),
    'zh-TW': () => import('../domains/geofences/geofences.zh-TW.ts'),
  },
  trail: {
    'en-US': () => import('../domains/positions/trail/trail.en-US.ts'),
    'zh-TW': () => import('../domains/positions/trail/trail.zh-TW.ts'),
  },
  usage: {
    'en-US': () => import('../domains/usage/usage.en-US.ts'),
    'zh-TW': () => import('../domains/usage/usage.zh-TW.ts'),
  },
  commands: {
    'en-US': () => import('../domains/commands/commands.en-US.ts'),
    'zh-TW': () => import('../domains/commands/commands.zh-TW.ts'),
  },
  properties: {
    'en-US': () => import('../domains/properties/properties.en-US.ts'),
    'zh-TW': () => import('../domains/properties/properties.zh-TW.ts'),
  },
  esims: {
    'en-US': () => import('../domains/esims/esims.en-US.ts'),
    'zh-TW': () => import('../domains/esims/esims.zh-TW.ts'),
  },
  groups: {
    'en-US': () => import('../domains/groups/groups.en-US.ts'),
    'zh-TW': () => import('../domains/groups/groups.zh-TW.ts'),
  },
  rollouts: {
    'en-US': () => import('../domains/groups/rollout/rollouts.en-US.ts'),
    'zh-TW': () => import('../domains/groups/rollout/rollouts.zh-TW.ts'),
  },
  firmware: {
    'en-US': () => import('../domains/firmware/firmware.en-US.ts'),
    'zh-TW': () => import('../domains/firmware/firmware.zh-TW.ts'),
  },
  configs: {
    'en-US': () => import('../domains/configs/configs.en-US.ts'),
    'zh-TW': () => import('../domains/configs/configs.zh-TW.ts'),
  },
  inventory: {
    'en-US': () => import('../domains/inventory/inventory.en-US.ts'),
    'zh-TW': () => import('../domains/inventory/inventory.zh-TW.ts'),
  },
  organizations: {
    'en-US': () => import('../domains/organizations/organizations.en-US.ts'),
    'zh-TW': () => import('../domains/organizations/organizations.zh-TW.ts'),
  },
  wizard: {
    'en-US': () => import('../domains/organizations/wizard/wizard.en-US.ts'),
    'zh-TW': () => import('../domains/organizations/wizard/wizard.zh-TW.ts'),
  },
  service: {
    'en-US': () => import('../domains/service/service.en-US.ts'),
    'zh-TW': () => import('../domains/service/service.zh-TW.ts'),
  },
  notifications: {
    'en-US': () => import('../domains/notifications/notifications.en-US.ts'),
    'zh-TW': () => import('../domains/notifications/notifications.zh-TW.ts'),
  },
  users: {
    'en-US': () => import('../domains/users/users.en-US.ts'),
    'zh-TW': () => import('../domains/users/users.zh-TW.ts'),
  },
  colleagues: {
    'en-US': () => import('../domains/colleagues/colleagues.en-US.ts'),
    'zh-TW': () => import('../domains/colleagues/colleagues.zh-TW.ts'),
  },
  logs: {
    'en-US': () => import('../domains/logs/logs.en-US.ts'),
    'zh-TW': () => import('../domains/logs/logs.zh-TW.ts'),
  },
  reports: {
    'en-US': () => import('../domains/reports/reports.en-US.ts'),
    'zh-TW': () => import('../domains/reports/reports.zh-TW.ts'),
  },
  analysis: {
    'en-US': () => import('../domains/analysis/analysis.en-US.ts'),
    'zh-TW': () => import('../domains/analysis/analysis.zh-TW.ts'),
  },
};

type LazyCatalogues = typeof lazyCatalogues;
export type LazyNamespace = keyof LazyCatalogues;

type MessagesOf<Namespace extends LazyNamespace> =
  Awaited<ReturnType<LazyCatalogues[Namespace]['en-US']>> extends Readonly<Record<Namespace, infer Messages>> ? Messages : never;

export type LazyMessages = { readonly [Namespace in LazyNamespace]: MessagesOf<Namespace> };
