import type { accounts } from '@highline/contract';
import { DomainError, isId, type Actor, type OrganizationScope, type Sealing } from '../../kernel/index.ts';
import type { Clock, Database, Tx } from '../../platform/ports/index.ts';
import { homeOf, personOf, recordOwn } from './account.audit.ts';
import { toAccountDto, toSavedDto, scopesOf } from './account.dto.ts';
import {
  findByEmail,
  findMainAccountName,
  findOrganizationName,
  findVisible,
  noteSignIn,
  type AccountRow,
} from './accounts.store.ts';
import { needsProvider } from './company-sign-in.queries.ts';
import { createColleagues } from './colleagues.service.ts';
import { createChangePassword } from './change-password.ts';
import { createForgottenPassword, type Caller } from './forgotten-password.ts';
import { createInvitationAgain } from './invitation-again.ts';
import { createLimits } from './limits.service.ts';
import { findLimit } from './limits.queries.ts';
import { createOwnSessions } from './own-sessions.ts';
import { createPasswords } from './password.ts';
import { createUsers } from './users.service.ts';
import { countSignIn, clearSignInAttempts } from './rate-limit.ts';
import { createSecondFactorReset } from './second-factor.reset.ts';
import { createSecondFactor, createSecondFactorCodes } from './second-factor.ts';
import { hashSecret, newSecret } from './secret.ts';
import { countSignedIn, findLatestEnd, IDLE_MS, insertSession, readSession } from './sessions.store.ts';
import { createSetUp } from './set-up.ts';
import { roleOf } from './standing.ts';
import { sentence } from '../logs/index.ts';

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
  /** Waits; tests delay it. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** The credentials of a sign-in. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** The code of the second factor, if it is on. */
  readonly otp?: string | undefined;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Sign-in, sessions and passwords (AUTH rows). */
export function createAccountsService({ database, clock, endStreams, sealing, mailSealing, pause = sleep }: AccountsDeps) {
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
  const checkOwnPassword = async ({ email, address }: Actor, password: string): Promise<void> => {
    await checkPassword(email, password, { address, userAgent: '' });
  };

  const organizationIsGone = async ({ organization_id: id }: AccountRow) =>
    id !== null && (await findOrganizationName(database.read, id)) === undefined;

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
    ...createSecondFactorReset({ database, clock, endStreams }),
    ...createChangePassword({ database, clock, passwords, codes, endStreams, checkPassword, clearAttempts }),

    /**
     * Sign in; the bearer is returned once and stored as a hash.
     * @throws DomainError `account.wrong_password`, `account.too_many_tries`; after the right password `account.no_roles`,
     * `account.provider_required`, `account.otp_needed`, `account.otp_wrong`
     */
    async signIn({ email, password, otp }: SignIn, caller: Caller): Promise<{ id: string; vap: string }> {
      const account = await checkPassword(email, password, caller);
      if (roleOf(account) === undefined || (await organizationIsGone(account))) throw new DomainError('account.no_roles');
      const company = homeOf({ mainAccountId: account.main_account_id, organizationId: account.organization_id });
      if (await needsProvider(database.read, company, account.email)) throw new DomainError('account.provider_required');
      const vap = newSecret();
      const begin = async (tx: Tx): Promise<void> => {
        // Checking takes a while; a password reset in between ended all sessions, so this one must not be created after it.
        const now = clock.now();
        if (!(await noteSignIn(tx, account.id, account.password_hash, now))) throw new DomainError('account.wrong_password');
        const secondFactor = await codes.take(tx, account.id, otp);
        await insertSession(tx, { bearerHash: hashSecret(vap), accountId: account.id, ...caller }, now);
        const detail = secondFactor === undefined ? {} : { secondFactor };
        await recordOwn(tx, personOf(account, caller.address), sentence('session.signed_in'), detail, now);
      };
      await codes.admit(account, otp, caller.address, () => database.write(begin));
      await clearAttempts(email, caller);
      return { id: account.id, vap };
    },

    readSession: (bearerHash: Buffer, address: string) => readSession(database, bearerHash, address, clock.now()),

    async introspect(actor: Actor, version: string, demo: boolean): Promise<accounts.Introspection> {
      const row = await getVisible(actor, actor.accountId);
      const name = actor.organizationId === null ? undefined : await findOrganizationName(database.read, actor.organizationId);
      const latestEnd = await findLatestEnd(database.read, Buffer.from(actor.sessionId, 'hex'));
      const idleEnd = clock.now().getTime() + IDLE_MS;
      return {
        ...toAccountDto(row),
        limitedTo: await findLimit(database.read, actor, row.id),
        scopes: scopesOf(actor.role, actor.organizationId),
        org: actor.organizationId === null || name === undefined ? null : { id: actor.organizationId, name },
        vendorName: await findMainAccountName(database.read, actor.mainAccountId),
        idleUntil: Math.floor(Math.min(idleEnd, latestEnd?.getTime() ?? idleEnd) / 1000),
        version,
        demo,
      };
    },

    readLimit: (actor: Actor, id: string) => findLimit(database.read, actor, id),

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
