import { toApiRole, type accounts } from '@highline/contract';
import { DomainError, required } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Actor, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { dropControls } from '../groups/index.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { deleteAddress } from '../notifications/index.ts';
import { toAccountDto, toSavedDto, type SavedAccount } from './account.dto.ts';
import {
  type AccountRow,
  belongsNowhere,
  deleteAccountRow,
  hasAdmin,
  hasContact,
  isLastAdmin,
  lockAdmins,
  lockVisible,
  updateAccount,
} from './accounts.store.ts';
import { keepBreakGlass } from './keep-break-glass.ts';
import { lockMember, type LockedUser } from './locked-users.ts';
import { endAllMailsOf } from './mail-lists.ts';
import { inviteAccount, joinCompany, type Invitation } from './invitation.ts';
import { countTry, limits } from './rate-limit.ts';
import { replaceOwnRole } from './own-role.store.ts';
import { readMemberRole, type MemberRole } from './member-role.ts';

export interface UsersDeps extends Pick<Deps, 'database' | 'clock' | 'mailSealing'> {
  readonly endStreams: (which: { readonly accountId: string }) => void;
}

/** A user to create, as the API call describes it. */
export interface PersonToInvite extends Pick<Invitation, 'email' | 'name' | 'language' | 'origin'> {
  /** Undefined: the first account that a main account creates in an organization without a contact becomes its contact (API-01). */
  readonly isContact: boolean | undefined;
  /** A role string of the organization. */
  readonly role: string;
  /** The field of the API call, for errors. */
  readonly roleField: string;
}

/** Replaces one role string by another. */
export interface RoleChange {
  readonly original: string;
  readonly target: string;
}

type IsCurrent = (version: number) => boolean;

/** The operations of admins and the main account on the accounts of others (USR-02 … 04, ORG-05). */
export function createUsers({ database, clock, mailSealing, endStreams }: UsersDeps) {
  return {
    ...createRoles({ database, clock }),

    /**
     * Create an account and mail it an invitation.
     * @throws DomainError `account.too_many_tries` after some hundred in a day, `account.exists`, `account.admin_exists`,
     * `permission.denied` and `not_found` for a role that the actor may not give
     */
    async invite(actor: Actor, scope: Scope, person: PersonToInvite): Promise<accounts.Account> {
      const { organizationId, role } = readMemberRole(person.role, person.roleField);
      const target = scopeWithin(scope, organizationId);
      await countTry(database, limits.peopleOfActor, actor.accountId, clock.now());
      const account = await database.write(async (tx) => {
        if (!(await lockAdmins(tx, target))) throw new DomainError('not_found');
        if (role === 'admin') await checkMayGiveAdmin(tx, actor, target);
        const isContact = person.isContact ?? (actor.role === 'main' && !(await hasContact(tx, target)));
        return inviteAccount(tx, target, { ...person, isContact, role, mailSealing }, actor, clock.now());
      });
      return toAccountDto(account);
    },

    /**
     * @param isCurrent whether the caller's version, from If-Match, is the current one
     * @throws DomainError `account.not_found`, `conflict.stale` with the current values
     */
    async rename(actor: Actor, id: string, name: string, isCurrent: IsCurrent): Promise<SavedAccount> {
      const renamed = await database.write(async (tx) => {
        const locked = await lockMember(tx, actor, id);
        if (!isCurrent(locked.member.version)) throw stale(locked);
        if (locked.member.name === name) return locked.member;
        const row = await updateAccount(tx, id, { name }, clock.now());
        await record(tx, actor, locked, clock.now(), sentence('account.renamed', row.email), {
          from: locked.member.name,
          to: name,
        });
        return row;
      });
      return toSavedDto(renamed);
    },

    /**
     * Delete an account; its sessions, streams and links end at once (USR-04).
     * @throws DomainError `account.not_found`, `account.is_self`, `account.last_admin`
     */
    async remove(actor: Actor, id: string, writer: Pick<Database, 'write'> = database): Promise<void> {
      if (id === actor.accountId) throw new DomainError('account.is_self');
      await writer.write(async (tx) => {
        const locked = await lockMember(tx, actor, id);
        await keepAnAdmin(tx, locked);
        await endAllMailsOf(tx, locked.scope, locked.member, clock.now());
        await deleteAccountRow(tx, id);
        await record(tx, actor, locked, clock.now(), sentence('account.deleted', locked.member.email), {
          name: locked.member.name,
        });
      });
      endStreams({ accountId: id });
    },
  };
}

/** Roles of accounts in an organization. */
function createRoles({ database, clock }: Pick<UsersDeps, 'database' | 'clock'>) {
  return {
    /**
     * Exchange one role string for another of the same organization; effective at the next call (USR-03).
     * @throws DomainError `account.not_found`, `account.last_admin`, `account.admin_exists`, `conflict.stale` when the account no
     * longer has `original`
     */
    async changeRole(actor: Actor, id: string, change: RoleChange, isCurrent: IsCurrent): Promise<SavedAccount> {
      const { original, target } = change;
      const requestedRole = readMemberRole(target, 'target');
      const changed = await database.write(async (tx) => {
        const locked = await lockMember(tx, actor, id);
        const { member, scope } = locked;
        if (requestedRole.organizationId !== scope.organizationId) throw new DomainError('not_found');
        if (!isCurrent(member.version) || !member.roles.includes(original)) throw stale(locked);
        if (original === target) return member;
        if (requestedRole.role === 'admin') await checkMayGiveAdmin(tx, actor, scope);
        const { row, detail } = await exchangeRole(tx, locked, change, requestedRole.role, clock.now());
        await record(
          tx,
          actor,
          locked,
          clock.now(),
          sentence('account.role_changed', row.email, { terms: [requestedRole.role] }),
          detail,
        );
        return row;
      });
      return toSavedDto(changed);
    },

    /**
     * Add an account without organization to an organization (ORG-05); or make a user with this role its contact (API-01).
     * @throws DomainError `account.not_found`, `account.admin_exists`, `account.exists` when it already belongs to an
     * organization
     */
    async addRole(actor: Actor, id: string, role: string, isContact: boolean): Promise<accounts.Account> {
      const requestedRole = readMemberRole(role, 'role');
      const scope: OrganizationScope = { ...organizationOf(actor, requestedRole), kind: 'organization' };
      const given = `r.${scope.organizationId}.${toApiRole(requestedRole.role)}`;
      const joined = await database.write(async (tx) => {
        if (!(await lockAdmins(tx, scope))) throw new DomainError('not_found');
        const account = required(isId(id) ? await lockVisible(tx, actor, id) : undefined, 'account.not_found');
        if (isContact && account.organization_id === scope.organizationId && account.roles.includes(given))
          return account.is_contact ? account : makeContact(tx, actor, scope, account);
        if (!(await belongsNowhere(tx, account))) throw new DomainError('account.exists');
        if (requestedRole.role === 'admin') await checkMayGiveAdmin(tx, actor, scope);
        const membership = { organizationId: scope.organizationId, roles: [given], isContact };
        const row = await joinCompany(tx, scope, account, membership, clock.now());
        await record(tx, actor, { member: row, scope }, clock.now(), sentence('account.added', row.email), {
          role: requestedRole.role,
          isContact,
        });
        return row;
      });
      return toAccountDto(joined);
    },
  };

  async function makeContact(tx: Tx, actor: Actor, scope: OrganizationScope, account: AccountRow): Promise<AccountRow> {
    const row = await updateAccount(tx, account.id, { is_contact: true }, clock.now());
    await record(tx, actor, { member: row, scope }, clock.now(), sentence('account.made_contact', row.email), {
      isContact: true,
    });
    return row;
  }
}

/** Log what was done with an account, and notify the consoles that show it; its own streams check whether they may continue. */
async function record(
  tx: Tx,
  actor: Actor,
  { member, scope }: LockedUser,
  now: Date,
  action: AuditAction,
  detail: Record<string, unknown>,
) {
  await announce(tx, scope, 'accounts', [member.id]);
  const event = { action, subject: { kind: 'account', id: member.id }, detail };
  await recordAudit(tx, scope.organizationId, actor, event, now);
}

const stale = ({ member }: LockedUser) => new DomainError('conflict.stale', { detail: toAccountDto(member) });

const organizationOf = (actor: Actor, { organizationId }: MemberRole) => ({ mainAccountId: actor.mainAccountId, organizationId });

/** @throws DomainError `not_found` for an organization outside of the scope */
function scopeWithin(scope: Scope, organizationId: string): OrganizationScope {
  if (scope.kind === 'organization' && scope.organizationId !== organizationId) throw new DomainError('not_found');
  return { kind: 'organization', mainAccountId: scope.mainAccountId, organizationId };
}

/**
 * Admins may always give the admin role; the main account only to the first admin who belongs to an organization. The organization is locked
 * by then, so that two first admins cannot be made at once.
 * @throws DomainError `account.admin_exists`
 */
async function checkMayGiveAdmin(tx: Tx, actor: Actor, scope: OrganizationScope): Promise<void> {
  if (actor.role === 'main' && (await hasAdmin(tx, scope))) throw new DomainError('account.admin_exists');
}

/**
 * Rights to single groups of locked accounts end with every change of what the accounts may do, their role, own role, limit or access: one that
 * gives nothing would come back unseen.
 * @returns names of groups
 */
export async function endControls(tx: Tx, scope: OrganizationScope, accountIds: readonly string[]): Promise<string[]> {
  const ended = await dropControls(tx, scope, accountIds);
  if (ended.size > 0) await announce(tx, scope, 'groups', [...ended.keys()]);
  return [...ended.values()].sort();
}

/**
 * Exchange one role string of a locked user for another, with what follows from it.
 * @returns the row after it, and the detail for the log
 * @throws DomainError `account.last_admin`, `account.last_break_glass`
 */
export async function exchangeRole(
  tx: Tx,
  locked: LockedUser,
  { original, target }: RoleChange,
  role: MemberRole['role'],
  now: Date,
): Promise<{ readonly row: AccountRow; readonly detail: Record<string, unknown> }> {
  const { member, scope } = locked;
  if (role !== 'admin') await keepAnAdmin(tx, locked);
  const roles = [...new Set(member.roles.map((each) => (each === original ? target : each)))];
  const row = await updateAccount(tx, member.id, { roles }, now);
  if (role === 'admin') await replaceOwnRole(tx, scope, member.id, null);
  else await deleteAddress(tx, scope, member.email, false);
  const fullControlEnded = await endControls(tx, scope, [member.id]);
  return { row, detail: { from: original, to: target, ...(fullControlEnded.length === 0 ? {} : { fullControlEnded }) } };
}

/**
 * Before an account gets fewer rights in its organization.
 * @throws DomainError `account.last_admin`, `account.last_break_glass`, `account.last_excepted`
 */
export async function keepAnAdmin(tx: Tx, { member, scope }: LockedUser): Promise<void> {
  if (await isLastAdmin(tx, scope, member.id)) throw new DomainError('account.last_admin');
  await keepBreakGlass(tx, scope, member);
}
