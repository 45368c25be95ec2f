export { createAccountsService, type AccountsService } from './accounts.service.ts';
export { inviteAccount, type Invitation } from './invitation.ts';
export { resetSecondFactorOffline } from './second-factor.reset.ts';
export { createSecondFactorSealing } from './second-factor.ts';
export { createAccount } from './create-account.ts';
export { addHits, addressKeyOf, countPerson, countTestMail, countTry, limits } from './rate-limit.ts';
export { CONFIRMED_MS, confirmSession, findConfirmed } from './sessions.store.ts';
export { personOf, recordOwn } from './account.audit.ts';
export { admitPerson, beginSession, endSessionsBy, lockCompany, type ProvidedPerson } from './company-sign-in.ts';
export { countBreakGlass, endPasswordSessions } from './company-sign-in.queries.ts';
export {
  addPerson,
  deletePerson,
  describePerson,
  findProtection,
  lockPerson,
  mailAddressChange,
  mailProtection,
  recordProvisioned,
  replaceRoles,
  rolesOf,
  type Protection,
} from './provisioning.ts';
export { belongsNowhere, hasAdmin, lockAdmins, lockOwn, type AccountRow, type OwnerRow } from './accounts.store.ts';
export type { Caller } from './forgotten-password.ts';
export { standingOf } from './standing.ts';
export { endMailsBeyond, endMailsOf } from './mail-lists.ts';
export { lockToChange, makeUser } from './own-role.ts';
export { endControls } from './users.service.ts';
export { findOwnRole, ownRoleColumns, type OwnRoleRow, type StoredLimit } from './own-role.queries.ts';
export { replaceEveryOwnRole, replaceOwnRole } from './own-role.store.ts';
export { describeLimit, limitColumns, limitOf, lockNamedGroups, seesDevice, type LimitRow } from './limits.queries.ts';
export { closeGuestAccount, setVisitOfSession } from './visits.store.ts';
export { replaceLimit } from './limits.store.ts';
export { findAllowed, mayActOn, type Allowed } from './current-role.queries.ts';
export { accountsModule } from './module.ts';
export { createChallengeSealing } from './passkeys.ts';
