import type { OrganizationScope } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import {
  countTry,
  findProtection,
  limits,
  lockAdmins,
  lockPerson,
  mailProtection,
  recordProvisioned,
  replaceRoles,
  rolesOf,
  type AccountRow,
  type Protection,
} from '../accounts/index.ts';
import { sentence, type AuditActor } from '../logs/index.ts';
import { DomainError } from '../../kernel/index.ts';
import { ScimFailure } from './failure.ts';
import { findGuestVisit, findRoleByGroups, findUnreconciled } from './people.queries.ts';
import { keepRoles, lockKept } from './people.store.ts';
import { lockSecret } from './secrets.store.ts';

export type DirectoryDeps = Pick<Deps, 'database' | 'clock'>;

/** The directory of an organization that makes a call. */
export interface Directory {
  readonly scope: OrganizationScope;
  readonly secretId: string;
  /** Name and hint of its secret, for the log. */
  readonly actor: AuditActor;
}

/** Whose people, and in whose name they change. */
type Named = Pick<Directory, 'scope' | 'actor'>;

/** A person must keep what a directory wants to take. */
class Protected extends ScimFailure {
  readonly account: AccountRow;
  readonly wish: Wish;

  constructor(account: AccountRow, protection: Protection, wish: Wish) {
    super(
      409,
      protection === 'last_admin'
        ? 'This is the last admin of the organization. Choose another one in Highline first.'
        : 'This person is excepted from the rules for signing in, and stays. Choose another one in Highline first.',
    );
    this.account = account;
    this.wish = wish;
  }
}

/** What a directory would take: what a person may do, or the address by which they sign in and set a password. */
type Wish = 'access' | 'address';

/**
 * Change people or groups in the name of a directory, in one transaction that begins with the lock of the organization. That someone must
 * keep their access is logged and mailed to the admins.
 * @throws ScimFailure
 */
export async function changeInName<Result>(
  { database, clock }: DirectoryDeps,
  directory: Directory,
  change: (tx: Tx, now: Date) => Promise<Result>,
): Promise<Result> {
  const now = clock.now();
  try {
    return await database.write(async (tx) => {
      const isThere = await lockAdmins(tx, directory.scope);
      // One that was revoked meanwhile changes nothing more.
      if (!isThere || !(await lockSecret(tx, directory.scope, directory.secretId, now))) throw secretInvalid();
      return change(tx, now);
    });
  } catch (error) {
    if (error instanceof Protected) await reportProtected(database, directory, error, now);
    throw error;
  }
}

export const secretInvalid = () =>
  new ScimFailure(401, 'The secret is not valid. Make another one in Highline, below Company sign-in.');

async function reportProtected(
  database: Database,
  { scope, actor }: Directory,
  { account, wish }: Protected,
  now: Date,
): Promise<void> {
  const isFirst = await isFirstOfDay(database, account.id, now);
  await database.write(async (tx) => {
    if (isFirst) await mailProtection(tx, scope, { email: account.email, by: actor.email, wish }, now);
    const action = sentence(wish === 'access' ? 'scim.rejected' : 'scim.address_rejected', account.email);
    await recordProvisioned(tx, scope, actor, account.id, { action, detail: {} }, now);
  });
}

async function isFirstOfDay(database: Database, accountId: string, now: Date): Promise<boolean> {
  try {
    await countTry(database, limits.directoryMail, accountId, now);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** @throws Protected when a person must keep what the directory wants to take */
export async function checkMayLose(tx: Tx, { scope }: Named, account: AccountRow, wish: Wish = 'access'): Promise<void> {
  const protection = await findProtection(tx, scope, account);
  if (protection !== undefined) throw new Protected(account, protection, wish);
}

/**
 * Give a person of the directory the roles that follow from its groups, or take them while inactive; those of before come back. By groups
 * alone, no one loses what must be kept.
 * @throws Protected when an inactive person must keep them
 */
export async function reconcileRoles(tx: Tx, directory: Named, id: string, now: Date): Promise<void> {
  const { scope, actor } = directory;
  const account = await lockPerson(tx, scope, id);
  const kept = await lockKept(tx, scope, id);
  if (account === undefined || kept === undefined) return;
  const roles = kept.is_active ? await rolesWhenActive(tx, scope, account, kept.kept_roles) : [];
  if (isSame(roles, account.roles)) return;
  if (!kept.is_active) await checkMayLose(tx, directory, account);
  // An admin by groups is one whatever else holds.
  else if (!roles.includes(rolesOf(scope, 'admin')) && (await findProtection(tx, scope, account)) !== undefined) return;
  await replaceRoles(tx, scope, account, roles, now);
  await keepRoles(tx, scope, id, roles.length === 0 ? account.roles : []);
  const action = actionOf(scope, account, roles, kept.is_active);
  await recordProvisioned(tx, scope, actor, id, { action, detail: { from: account.roles, to: roles } }, now);
}

/** Give all people of a directory the roles that follow from its groups. @param ids only to these; undefined = to all */
export async function reconcileAll(tx: Tx, directory: Named, ids: readonly string[] | undefined, now: Date): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one connection
  for (const id of await findUnreconciled(tx, directory.scope, ids)) await reconcileRoles(tx, directory, id, now);
}

async function rolesWhenActive(
  tx: Tx,
  scope: OrganizationScope,
  { id, roles }: AccountRow,
  keptRoles: readonly string[],
): Promise<readonly string[]> {
  const before = roles.length > 0 ? roles : keptRoles;
  const guest = await findGuestVisit(tx, scope, id);
  // No directory makes a guest one of the people, nor lets one in again whose visit is over (IAM-05).
  if (guest !== undefined) return guest.is_open ? before : roles;
  const { given, defaultRole } = await findRoleByGroups(tx, scope, id);
  if (given === undefined && before.length > 0) return before;
  const role = given ?? defaultRole;
  return role === 'none' ? [] : before.includes(rolesOf(scope, role)) ? before : [rolesOf(scope, role)];
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((role) => others.includes(role));

function actionOf(scope: OrganizationScope, { email, roles: before }: AccountRow, roles: readonly string[], isActive: boolean) {
  if (roles.length === 0) return isActive ? sentence('scim.role_taken', email) : sentence('scim.deactivated', email);
  if (before.length === 0) return sentence('scim.activated', email);
  const role = roles.includes(rolesOf(scope, 'admin')) ? 'admin' : 'user';
  return sentence('scim.role_changed', email, { terms: [role] });
}
