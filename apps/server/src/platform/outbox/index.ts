export { hasAnnounced } from './announced.ts';
export { createDispatcher, type Dispatcher } from './dispatcher.ts';
export { purgeOutbox, readOutbox, takeSnapshot, type OutboxEvent, type Snapshot } from './outbox.ts';
export { createTenantsInUse, type TenantsInUse } from './tenants-in-use.ts';
export { deliverWhenShown } from './shown.ts';
export { exchangeCommitNotices } from './commit-notice.ts';
