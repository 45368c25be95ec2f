import {
  isGivable,
  isWithinRights,
  normalizeGroupKey,
  rightOf,
  type apiKeys,
  type accounts,
  type Right,
  type roles as calls,
} from '@highline/contract';
import type { z } from 'zod';
import { DomainError, isId, newId, required, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { AnyOperation } from '../../platform/calls/call.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { isUniqueViolation, type Queries, type Tx } from '../../platform/ports/database.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import {
  endControls,
  endMailsBeyond,
  hasAdmin,
  lockNamedGroups,
  lockToChange,
  makeUser,
  replaceEveryOwnRole,
  replaceOwnRole,
} from '../accounts/index.ts';
import { groupOperations } from '../api-keys/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { listHolders, ownRoles, readLimit, type Holder, type LockedRole } from './roles.queries.ts';
import { lockToGive, replaceGroups, type GivenRole } from './roles.store.ts';

export interface RoleDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Every registered operation. */
  readonly operations: () => readonly AnyOperation[];
}

/** The body of a call that makes or saves a role. */
export type RoleInput = z.output<typeof calls.saveRole.body>;

/** The calls that a role of this scope can give: what an admin may call, or the main account. */
function givable({ operations }: Pick<RoleDeps, 'operations'>, scope: Scope): AnyOperation[] {
  const whole = scope.kind === 'main' ? 'main' : 'admin';
  return operations().filter((each) => each.scope !== 'public' && each.roles.includes(whole) && isGivable(each));
}

/**
 * The rights that the actor may give a role of this scope, with the calls of each.
 * @returns also the rights that only admins of the organization give
 */
export async function listRights(
  deps: Pick<RoleDeps, 'operations' | 'database'>,
  scope: Scope,
  actor: Actor,
): Promise<{ readonly result: apiKeys.KeyGroup[]; readonly withheld: string[] }> {
  const withheld = await findWithheld(deps, deps.database.read, actor, scope);
  const result = groupOperations(givable(deps, scope).filter((call) => !withheld.has(rightOf(call))));
  return { result, withheld: [...withheld].toSorted() };
}

/**
 * Make a role.
 * @returns its id
 * @throws DomainError `role.right_unknown`, `role.admin_exists`, `role.name_taken`, `role.too_many`, `role.no_limit`, `role.limit_empty`, `group.not_found`
 */
export async function createRole(deps: RoleDeps, scope: Scope, actor: Actor, input: RoleInput): Promise<string> {
  const id = newId(deps.clock.now().getTime());
  const { name } = input;
  const rights = checkRights(deps, scope, input.rights);
  const limit = limitOf(scope, input);
  const values = { id, name, rights, limit_tags: limit?.tags ?? null, created_by_email: actor.email };
  const entry = { action: sentence('role.created', name), detail: { name, rights, limitedTo: limit } };
  await ownRoles
    .create(deps, scope, actor, values, entry, async (tx) => {
      await checkMayGive(deps, tx, actor, scope, rights);
      await saveGroups(tx, scope, id, limit?.groups ?? []);
    })
    .catch(nameTaken);
  return id;
}

/**
 * Replace name, rights and limit of a role. At once, everyone who has it may do no more than that: their streams, tunnels and jobs end where it does not
 * allow them.
 * @param isCurrent whether the version that the caller saw is this one
 * @throws DomainError as `createRole`, and `role.not_found`, `conflict.stale`
 */
export async function saveRole(
  deps: RoleDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  input: RoleInput,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const change = ownRoles.change(deps, scope, actor, id, async (tx, role, now) => {
    if (!isCurrent(role.version)) throw new DomainError('conflict.stale');
    const owner = scopeOfOwner(role);
    const rights = checkRights(deps, owner, input.rights);
    await checkMayGive(deps, tx, actor, owner, rights);
    const limit = limitOf(owner, input);
    const before = { name: role.name, rights: role.rights, limitedTo: await readLimit(tx, owner, id) };
    const values = { name: input.name, rights, limit_tags: limit?.tags ?? null };
    await ownRoles.update(tx, role, values, now);
    await saveGroups(tx, owner, id, limit?.groups ?? []);
    const after = { name: input.name, rights, limitedTo: await readLimit(tx, owner, id) };
    await tellHolders(tx, owner, await listHolders(tx, owner, id), values, now);
    return { action: sentence('role.changed', input.name), detail: { before, after } };
  });
  await change.catch(nameTaken);
}

/**
 * Delete a role.
 * @param instead what the people who have it get: another role, or 'user' for none
 * @throws DomainError `role.not_found`, also for `instead`; `role.admin_exists`; `role.in_use` where people have it and nothing is said
 */
export async function deleteRole(
  deps: RoleDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  instead: string | undefined,
): Promise<void> {
  await ownRoles.change(deps, scope, actor, id, async (tx, role, now) => {
    const owner = scopeOfOwner(role);
    const holders = await listHolders(tx, owner, id);
    if (holders.length > 0) await moveHolders(deps, tx, actor, role, holders, instead, now);
    await ownRoles.remove(tx, role);
    const { name, rights } = role;
    return { action: sentence('role.deleted', name), detail: { name, rights, people: holders.length, instead: instead ?? null } };
  });
}

async function moveHolders(
  deps: RoleDeps,
  tx: Tx,
  actor: Actor,
  role: LockedRole,
  holders: readonly Holder[],
  instead: string | undefined,
  now: Date,
): Promise<void> {
  const owner = scopeOfOwner(role);
  if (instead === undefined || instead === role.id)
    throw new DomainError('role.in_use', { field: 'instead', detail: { people: holders.length } });
  // Without an own role a person of the main account may do everything.
  if (instead === 'user' && owner.kind === 'main') throw new DomainError('role.not_found', { field: 'instead' });
  const next = instead === 'user' ? null : await lockGiven(deps, tx, actor, owner, instead, 'instead');
  const ids = holders.map(({ id }) => id);
  if (owner.kind === 'organization') await endControls(tx, owner, ids);
  await replaceEveryOwnRole(tx, owner, role.id, next?.id ?? null);
  await tellHolders(tx, owner, holders, next, now);
}

/**
 * Give a person a role, or none (null). An admin becomes a user with it, in the role strings as well.
 * @throws DomainError `account.not_found`, `account.is_self`, `account.last_admin`, `account.last_colleague`, `role.not_found`, `role.inactive`,
 * `role.admin_exists`
 */
export async function giveRole(deps: RoleDeps, actor: Actor, id: string, roleId: string | null): Promise<void> {
  if (id === actor.accountId) throw new DomainError('account.is_self');
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    const { email, scope, held } = await lockToChange(tx, actor, id);
    if ((held?.id ?? null) === roleId) return;
    const role = roleId === null ? null : await lockGiven(deps, tx, actor, scope, roleId, 'role');
    if (role !== null) await makeUser(tx, actor, id, now);
    const fullControlEnded = scope.kind === 'organization' ? await endControls(tx, scope, [id]) : [];
    await replaceOwnRole(tx, scope, id, role?.id ?? null);
    await tellHolders(tx, scope, [{ id, email }], role, now);
    const action = role === null ? sentence('role.taken', email, held?.name ?? '') : sentence('role.given', email, role.name);
    const chain = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
    const ended = fullControlEnded.length === 0 ? {} : { fullControlEnded };
    const detail = { from: held?.name ?? null, to: role?.name ?? null, ...ended };
    await recordAudit(tx, chain, actor, { action, subject: { kind: 'account', id }, detail }, now);
  });
}

/** @throws DomainError `role.not_found` with the field, `role.admin_exists` */
async function lockGiven(deps: RoleDeps, tx: Tx, actor: Actor, owner: Scope, id: string, field: string): Promise<GivenRole> {
  const organizationId = owner.kind === 'organization' ? owner.organizationId : null;
  const role = required(isId(id) ? await lockToGive(tx, owner, organizationId, id) : undefined, 'role.not_found', { field });
  await checkMayGive(deps, tx, actor, owner, role.rights);
  return role;
}

/** In an organization that has an admin, its main account gives no one what neither it nor a user may do there (decisions/0205): these rights. */
async function findWithheld(
  deps: Pick<RoleDeps, 'operations'>,
  queries: Queries,
  actor: Actor,
  owner: Scope,
): Promise<ReadonlySet<string>> {
  if (actor.role !== 'main' || owner.kind === 'main' || !(await hasAdmin(queries, owner))) return new Set();
  const isOfAdmins = ({ roles }: AnyOperation) => !roles.includes('main') && !roles.includes('user');
  return new Set(
    givable(deps, owner)
      .filter(isOfAdmins)
      .map((call) => rightOf(call)),
  );
}

/** @throws DomainError `role.admin_exists` */
async function checkMayGive(deps: RoleDeps, tx: Tx, actor: Actor, owner: Scope, rights: readonly string[]): Promise<void> {
  const withheld = await findWithheld(deps, tx, actor, owner);
  const right = rights.find((each) => withheld.has(each));
  if (right !== undefined) throw new DomainError('role.admin_exists', { field: 'rights', detail: { right } });
}

/**
 * Consoles, streams and remote sessions of these people look again what they may do; mails about what they may not see end.
 * @param role what they have from now on; null = none
 */
async function tellHolders(
  tx: Tx,
  owner: Scope,
  holders: readonly Holder[],
  role: Pick<GivenRole, 'rights' | 'limit_tags'> | null,
  now: Date,
): Promise<void> {
  if (holders.length === 0) return;
  const may = (right: Right) => role === null || (role.limit_tags === null && isWithinRights(role.rights, right));
  await endMailsBeyond(tx, owner, holders, may, now);
  await announce(
    tx,
    owner,
    'accounts',
    holders.map(({ id }) => id),
  );
}

/** @throws DomainError `role.right_unknown` */
function checkRights(deps: Pick<RoleDeps, 'operations'>, scope: Scope, chosen: readonly string[]): string[] {
  const known = new Set(givable(deps, scope).map((call) => rightOf(call)));
  const unknown = chosen.find((right) => !known.has(right));
  if (unknown !== undefined) throw new DomainError('role.right_unknown', { field: 'rights', detail: { right: unknown } });
  return [...new Set(chosen)].toSorted();
}

/** @throws DomainError `role.no_limit` for a role of the main account, `role.limit_empty` */
function limitOf(scope: Scope, { limitedTo = null }: RoleInput): accounts.LimitInput | null {
  if (limitedTo === null) return null;
  if (scope.kind === 'main') throw new DomainError('role.no_limit', { field: 'limitedTo' });
  if (limitedTo.groups.length + limitedTo.tags.length === 0) throw new DomainError('role.limit_empty', { field: 'limitedTo' });
  const groups = [...new Set(limitedTo.groups.map((key) => normalizeGroupKey(key)))];
  return { groups, tags: [...new Set(limitedTo.tags)].toSorted() };
}

/** @throws DomainError `group.not_found` */
async function saveGroups(tx: Tx, scope: Scope, id: string, keys: readonly string[]): Promise<void> {
  if (scope.kind === 'organization' && keys.length > 0) await lockEvery(tx, scope, keys);
  await replaceGroups(tx, scope, id, keys);
}

async function lockEvery(tx: Tx, scope: OrganizationScope, keys: readonly string[]): Promise<void> {
  const groups = await lockNamedGroups(tx, scope, keys);
  if (groups.length < keys.length) throw new DomainError('group.not_found', { field: 'limitedTo' });
}

/** @throws DomainError `role.name_taken` in place of the failure of the database */
function nameTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new DomainError('role.name_taken', { field: 'name' }) : error;
}
