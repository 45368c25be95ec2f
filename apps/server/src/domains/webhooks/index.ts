// Events that happen here are sent to addresses of customers. Domains whose events no trigger records call deliverEvents.
export { deliverEvents, type WebhookEvent } from './record.queries.ts';
export { recordEndingSubscriptions } from './subscriptions.job.queries.ts';
export { createSecretSealing } from './secret.ts';
export { countWaiting, purgeDeliveries, type WaitingDeliveries } from './webhook-delivery.job.queries.ts';
export { createWebhookWorker, type WebhookWorker } from './webhook-worker.ts';
export { createWebhook } from './webhooks.service.ts';
export { areWebhooks, isWebhookOn, listIncidentWebhooks } from './webhooks.store.ts';
export { browsersOf, listBrowsers } from './browsers.queries.ts';
export {
  addBrowser,
  listOwnBrowsers,
  removeAccountBrowsers,
  removeBrowser,
  removeBrowsersAt,
  removeBrowsersOf,
  type BrowserInput,
} from './browsers.ts';
export { createServerPushKey, derivePushKey, pushKeyPairOf, type PushKeyPair, type ServerPushKey } from './web-push.ts';
export { webhooksModule } from './module.ts';
