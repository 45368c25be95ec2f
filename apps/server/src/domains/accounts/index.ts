export { registerAccountRoutes, type AccountRoutesDeps } from './accounts.routes.ts';
export { createAccountsService, type AccountsService } from './accounts.service.ts';
export { createAccount, type AccountToCreate } from './create-account.ts';
export { purgeRateWindows } from './rate-limit.ts';
export { purgeSessions } from './sessions.store.ts';
