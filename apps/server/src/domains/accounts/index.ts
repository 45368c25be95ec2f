export { registerAccountRoutes, type AccountRoutesDeps } from './accounts.routes.ts';
export { createAccount, createAccountsService, type AccountsService, type AccountToCreate } from './accounts.service.ts';
export { deliverDueMails, purgeMails } from './mail-queue.ts';
export { purgeRateWindows } from './rate-limit.ts';
export { purgeSessions } from './sessions.store.ts';
