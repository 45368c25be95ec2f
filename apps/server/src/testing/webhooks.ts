export {
  createSecretSealing,
  createServerPushKey,
  derivePushKey,
  pushKeyPairOf,
  createWebhookWorker,
  deliverEvents,
} from '../domains/webhooks/index.ts';
export { newId, type OrganizationScope } from '../kernel/index.ts';
export { createWebCaller } from '../platform/adapters/web-caller/web-caller.ts';
export type { Database } from '../platform/ports/database.ts';
