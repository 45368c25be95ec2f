export { registerAccountRoutes, type AccountRoutesDeps } from './accounts.routes.ts';
export { createAccountsService, type AccountsService } from './accounts.service.ts';
export { inviteAccount, type Invitation } from './invitation.ts';
export { purgePeopleOf, signOutMembers } from './members.store.ts';
export { createPasswords } from './password.ts';
export { createSecondFactorSealing } from './second-factor.ts';
export { createAccount, type AccountToCreate } from './create-account.ts';
export { purgeRateWindows } from './rate-limit.ts';
export { purgeSessions } from './sessions.store.ts';
