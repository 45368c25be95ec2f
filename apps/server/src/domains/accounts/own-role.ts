import { toApiRole, type accounts } from '@highline/contract';
import { DomainError, isId, type Actor, type MainScope, type Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findColleague, lockMainAccount } from './colleagues.store.ts';
import { keepBreakGlass } from './keep-break-glass.ts';
import { lockMember } from './locked-users.ts';
import { findOwnRole } from './own-role.queries.ts';
import { roleOf } from './standing.ts';
import { exchangeRole } from './users.service.ts';

/** A person whose own role changes, locked until the transaction ends. */
export interface ToChange {
  readonly email: string;
  readonly scope: Scope;
  /** The own role until now. */
  readonly held: accounts.HeldRole | null;
}

/**
 * Lock a person of an organization, or a colleague of the main account.
 * @throws DomainError `account.not_found`, `account.last_colleague` where the actor lost the whole role of the main account meanwhile
 */
export async function lockToChange(tx: Tx, actor: Actor, id: string): Promise<ToChange> {
  const main: MainScope = { kind: 'main', mainAccountId: actor.mainAccountId };
  if (actor.role === 'main') await lockMainAccount(tx, main);
  const colleague = actor.role === 'main' && isId(id) ? await findColleague(tx, main, id) : undefined;
  if (colleague === undefined) {
    const { member, scope } = await lockMember(tx, actor, id);
    return { email: member.email, scope, held: await findOwnRole(tx, actor, id) };
  }
  await keepWhole(tx, main, actor);
  return { email: colleague.email, scope: main, held: await findOwnRole(tx, actor, id) };
}

/**
 * Of two who delete or limit each other at once the second one is gone or limited by now: one always stays who may do everything.
 * @throws DomainError `account.last_colleague`
 */
export async function keepWhole(tx: Tx, main: MainScope, actor: Actor): Promise<void> {
  const isThere = (await findColleague(tx, main, actor.accountId)) !== undefined;
  if (!isThere || (await findOwnRole(tx, actor, actor.accountId)) !== null) throw new DomainError('account.last_colleague');
}

/**
 * Make an admin of an organization a user in the role strings; others stay as they are. Who gets an own role is no way in for emergencies.
 * @throws DomainError `account.last_admin`, `account.last_break_glass`, `role.inactive` for a person whose directory keeps the role of before
 */
export async function makeUser(tx: Tx, actor: Actor, id: string, now: Date): Promise<void> {
  const main: MainScope = { kind: 'main', mainAccountId: actor.mainAccountId };
  const colleague = actor.role === 'main' ? await findColleague(tx, main, id) : undefined;
  if (colleague !== undefined) return keepBreakGlass(tx, main, { id });
  const locked = await lockMember(tx, actor, id);
  const role = roleOf(locked.member);
  if (role === undefined) throw new DomainError('role.inactive');
  if (role !== 'admin') return;
  const text = (role: 'admin' | 'user') => `r.${locked.scope.organizationId}.${toApiRole(role)}`;
  await exchangeRole(tx, locked, { original: text('admin'), target: text('user') }, 'user', now);
}
