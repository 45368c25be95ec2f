import { toApiRole, type accounts } from '@highline/contract';
import { DomainError, isId, type Actor, type OrganizationScope, type Scope, type Sealing } from '../../kernel/index.ts';
import type { Clock, Database } from '../../platform/ports/index.ts';
import { toAccountDto, toSavedDto, scopesOf } from './account.dto.ts';
import { findByEmail, findMainAccountName, findOrganizationName, findVisible, type AccountRow } from './accounts.store.ts';
import { createBothFactors } from './both-factors.ts';
import { createColleagues } from './colleagues.service.ts';
import { createChangePassword } from './change-password.ts';
import { createForgottenPassword, type Caller } from './forgotten-password.ts';
import { createInvitationAgain } from './invitation-again.ts';
import { countLeaves } from './leaves.queries.ts';
import { createLimits } from './limits.service.ts';
import { findLimit, nameLimit } from './limits.queries.ts';
import { findOwnRole } from './own-role.queries.ts';
import { findEndedVisit } from './visits.queries.ts';
import { createPasskeys } from './passkeys.ts';
import { createOwnSessions } from './own-sessions.ts';
import { createPasswords } from './password.ts';
import { createUsers } from './users.service.ts';
import { clearOwnTries, clearSignInAttempts, countSignIn } from './rate-limit.ts';
import { createSecondFactorReset } from './second-factor.reset.ts';
import { createSecondFactor, createSecondFactorCodes } from './second-factor.ts';
import { findConfirmed, countSignedIn, findIdleEnd, IDLE_MS, readSession } from './sessions.store.ts';
import { createSetUp } from './set-up.ts';
import { createSignIn } from './sign-in.ts';
import { createSignInPolicy } from './sign-in-policy.ts';
import { findOpenSupport } from './visits.queries.ts';

export interface AccountsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /**
   * End the open streams of a session, or of every session of an account, on this server now; other servers get the event from
   * the outbox.
   */
  readonly endStreams: (which: { readonly sessionId: string } | { readonly accountId: string }) => void;
  /** Encrypts the secrets of second factors. */
  readonly sealing: Sealing;
  /** Encrypts mails with secret links. */
  readonly mailSealing: Sealing;
  /** Seals challenges of passkeys. */
  readonly challenges: Sealing;
  /** A copied passkey was used. */
  readonly warn?: (passkey: string) => void;
  /** Waits; tests delay it. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Sign-in, sessions and passwords (AUTH rows). */
export function createAccountsService(deps: AccountsDeps) {
  const { database, clock, endStreams, sealing, mailSealing, challenges, warn = () => undefined, pause = sleep } = deps;
  const passwords = createPasswords();
  const codes = createSecondFactorCodes({ database, clock, sealing });

  /** @throws DomainError `account.wrong_password` alike for a wrong password and an unknown account, in the same time */
  const checkPassword = async (email: string, password: string, caller: Caller): Promise<AccountRow> => {
    await countSignIn(database, email, caller.address, clock.now());
    const account = await findByEmail(database.read, email);
    const isRight = await passwords.fits(password, account?.password_hash ?? null);
    if (account === undefined || !isRight) throw new DomainError('account.wrong_password');
    return account;
  };
  /** Both factors were right: clear the earlier attempts. */
  const clearAttempts = (email: string, { address }: Pick<Caller, 'address'>) =>
    clearSignInAttempts(database, email, address, clock.now());
  const checkOwnPassword = async (actor: Actor, password: string): Promise<void> => {
    const { email, address } = actor;
    // In place of a password, which people of a provider need not have.
    if ((await findConfirmed(database.read, actor, clock.now())) !== undefined) return;
    await checkPassword(email, password, { address, userAgent: '' });
    await clearOwnTries(database, email, address);
  };

  const passkeys = createPasskeys({ database, clock, challenges, warn, checkPassword: checkOwnPassword });
  const factors = createBothFactors({ database, codes, passkeys, checkPassword });

  const getVisible = async (actor: Actor, id: string): Promise<AccountRow> => {
    const row = isId(id) ? await findVisible(database.read, actor, id) : undefined;
    if (row === undefined) throw new DomainError('not_found');
    return row;
  };

  return {
    /** For what an open console alone is not enough. @throws DomainError `account.wrong_password`, `account.too_many_tries` */
    checkOwnPassword,
    ...createForgottenPassword({ database, clock, passwords, mailSealing, endStreams, pause }),
    ...createUsers({ database, clock, mailSealing, endStreams }),
    ...createColleagues({ database, clock, mailSealing, endStreams }),
    ...createInvitationAgain({ database, clock, mailSealing }),
    ...createLimits({ database, clock, endStreams }),
    ...createSetUp({ database, clock }),
    ...createOwnSessions({ database, clock, endStreams }),
    ...createSecondFactor({ database, clock, sealing, checkPassword: checkOwnPassword }, codes),
    ...createSignInPolicy({ database, clock, endStreams }),
    ...passkeys,
    ...createSignIn({ database, clock, factors, passkeys, sealing, checkPassword, clearAttempts }),
    ...createSecondFactorReset({ database, clock, endStreams }),
    ...createChangePassword({ database, clock, passwords, factors, endStreams, clearAttempts }),

    /** @param address undefined = not that of a caller */
    readSession: (bearerHash: Buffer, address: string | undefined) => readSession(database, bearerHash, address, clock.now()),

    async introspect(actor: Actor, version: string, demo: boolean): Promise<accounts.Introspection> {
      // Of whichever company it is, at home or on a visit.
      const row = await getVisible({ ...actor, role: 'user' }, actor.accountId);
      const now = clock.now();
      const { organizationId, mainAccountId, visit = null } = actor;
      const isHost = actor.role === 'admin' && organizationId !== null && visit === null;
      const support = isHost ? await findOpenSupport(database.read, { organizationId, mainAccountId }, now) : undefined;
      const name = actor.organizationId === null ? undefined : await findOrganizationName(database.read, actor.organizationId);
      const idleUntil = await findIdleEnd(database.read, actor, now);
      return {
        ...toAccountDto(row),
        ...(visit !== null && { role: toApiRole(actor.role) }),
        limitedTo: await nameLimit(database.read, actor.limit),
        ownRole: actor.ownRole === undefined ? null : await findOwnRole(database.read, actor, row.id),
        visit: visit && { kind: visit.kind, until: visit.until, by: actor.with?.[0]?.email ?? '', atHome: visit.atHome },
        support: support === undefined ? null : { id: support.id, until: support.until?.toISOString() ?? null },
        scopes: scopesOf(actor.role, actor.organizationId, actor.ownRole !== undefined),
        org: actor.organizationId === null || name === undefined ? null : { id: actor.organizationId, name },
        vendorName: await findMainAccountName(database.read, actor.mainAccountId),
        idleUntil: Math.floor((idleUntil ?? new Date(now.getTime() + IDLE_MS)).getTime() / 1000),
        version,
        demo,
      };
    },

    readLimit: (actor: Actor, id: string) => findLimit(database.read, actor, id),
    /** What stops, or is gone, with an account. @throws DomainError `account.not_found` */
    async readLeaves(actor: Actor, id: string) {
      const { organization_id: organizationId, main_account_id: mainAccountId } = await getVisible(actor, id);
      const scope: Scope =
        organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
      return { id, leaves: await countLeaves(database.read, scope, id) };
    },
    readGuestEnd: async (actor: Actor, id: string) => (await findEndedVisit(database.read, actor, id))?.toISOString() ?? null,

    readOwnRole: (actor: Actor, id: string) => findOwnRole(database.read, actor, id),

    getAccount: async (actor: Actor, id: string) => toSavedDto(await getVisible(actor, id)),

    /**
     * Counts the accounts of an organization; one is online if one of its sessions was used within the last 15 minutes (OVW-06).
     */
    async loginStatus(scope: OrganizationScope): Promise<{ allUserNum: number; onlineUserNum: number; offlineUserNum: number }> {
      const { all, online } = await countSignedIn(database, scope, clock.now());
      return { allUserNum: all, onlineUserNum: online, offlineUserNum: all - online };
    },
  };
}
