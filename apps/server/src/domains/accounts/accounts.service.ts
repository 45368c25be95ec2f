import { createHash, randomBytes } from 'node:crypto';
import { type accounts, deriveRole, MAIN_SERVICE } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import { isId, newId } from '../../ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { Actor, MainScope, OrganizationScope } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';
import { accountWire, scopesOf } from './account.wire.ts';
import {
  findByEmail,
  findMainAccountName,
  findOrganizationName,
  findVisible,
  insertAccount,
  insertLink,
  takeLink,
  updatePassword,
  type AccountRow,
} from './accounts.store.ts';
import { enqueueMail } from './mail-queue.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './password.ts';
import { countTry, forgetTries, limits } from './rate-limit.ts';
import { resetMail, type Language } from './reset-mail.ts';
import { countSignedIn, deleteSession, deleteSessionsOf, IDLE_MS, insertSession, readSession } from './sessions.store.ts';

const LINK_LIFETIME_MS = 3_600_000;

export interface AccountsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** End the open streams of a session, or of every session of an account, on this server now; others notice by themselves. */
  readonly endStreams: (which: { readonly sessionId: string } | { readonly accountId: string }) => void;
}

/** Where a call came from. */
export interface Caller {
  readonly address: string;
  readonly userAgent: string;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

const hash = (secret: string) => createHash('sha256').update(secret).digest();
/** 256 random bits, as text that fits an address and a header. */
const newSecret = () => randomBytes(32).toString('base64url');
/** What concerns no organization is written into the main account's chain. */
const chainOf = (account: Pick<AccountRow, 'organization_id' | 'main_account_id'>) =>
  account.organization_id ?? account.main_account_id;

/** Sign-in, sessions and passwords (AUTH rows). */
export function createAccountsService({ database, clock, endStreams }: AccountsDeps) {
  const auditAs = (account: AccountRow, address: string) => ({
    accountId: account.id,
    email: account.email,
    role: deriveRole(account.roles).role ?? 'none',
    address,
  });

  /** @throws DomainError `account.wrong_password` alike for a wrong password and an unknown account, in the same time */
  const checkPassword = async (email: string, password: string, caller: Caller): Promise<AccountRow> => {
    const now = clock.now();
    const here = `${email} ${caller.address}`;
    await countTry(database, limits.signInAddress, caller.address, now);
    await countTry(database, limits.signInHere, here, now);
    await countTry(database, limits.signInAccount, email, now);
    const account = await findByEmail(database.read, email);
    const right = await verifyPassword(password, account?.password_hash ?? null);
    if (account === undefined || !right) throw new DomainError('account.wrong_password');
    await forgetTries(database, limits.signInHere, here);
    return account;
  };

  const organizationIsGone = async (account: AccountRow) =>
    account.organization_id !== null && (await findOrganizationName(database.read, account.organization_id)) === undefined;

  return {
    /**
     * Sign in; the bearer is answered once and stored as a hash.
     * @throws DomainError `account.wrong_password`, `account.no_roles` (only after the right password), `account.too_many_tries`
     */
    async signIn(email: string, password: string, caller: Caller): Promise<{ id: string; vap: string }> {
      const account = await checkPassword(email, password, caller);
      const derived = deriveRole(account.roles);
      if (derived.role === undefined || (await organizationIsGone(account))) throw new DomainError('account.no_roles');
      const vap = newSecret();
      await database.write(async (tx) => {
        await insertSession(tx, { bearerHash: hash(vap), accountId: account.id, ...caller }, clock.now());
        const subject = { kind: 'account', id: account.id };
        await recordAudit(
          tx,
          chainOf(account),
          auditAs(account, caller.address),
          { action: 'Signed in', subject, detail: {} },
          clock.now(),
        );
      });
      return { id: account.id, vap };
    },

    readSession: (bearerHash: Buffer, address: string) => readSession(database, bearerHash, address, clock.now()),

    async signOut(actor: Actor): Promise<number> {
      const ended = await database.write((tx) => deleteSession(tx, Buffer.from(actor.sessionId, 'hex')));
      endStreams({ sessionId: actor.sessionId });
      return ended ? 1 : 0;
    },

    /** AUTH-08: every session of the account ends, everywhere, at once. */
    async signOutEverywhere(actor: Actor): Promise<number> {
      const ended = await database.write(async (tx) => {
        const count = await deleteSessionsOf(tx, actor.accountId);
        const subject = { kind: 'account', id: actor.accountId };
        await recordAudit(
          tx,
          actor.organizationId ?? actor.mainAccountId,
          actor,
          { action: 'Signed out everywhere', subject, detail: { sessions: count } },
          clock.now(),
        );
        return count;
      });
      endStreams({ accountId: actor.accountId });
      return ended;
    },

    async introspect(actor: Actor, version: string, demo: boolean): Promise<accounts.Introspection> {
      const row = await getVisible(actor, actor.accountId);
      const name = actor.organizationId === null ? undefined : await findOrganizationName(database.read, actor.organizationId);
      return {
        ...accountWire(row),
        scopes: scopesOf(actor.role, actor.organizationId),
        org: actor.organizationId === null || name === undefined ? null : { id: actor.organizationId, name },
        vendorName: await findMainAccountName(database.read, actor.mainAccountId),
        idleUntil: Math.floor((clock.now().getTime() + IDLE_MS) / 1000),
        version,
        demo,
      };
    },

    getAccount: async (actor: Actor, id: string) => accountWire(await getVisible(actor, id)),

    async loginStatus(scope: OrganizationScope): Promise<{ allUserNum: number; onlineUserNum: number; offlineUserNum: number }> {
      const { all, online } = await countSignedIn(database, scope.organizationId, clock.now());
      return { allUserNum: all, onlineUserNum: online, offlineUserNum: all - online };
    },

    /** Mail a link, if the address has an account. The answer, and its time as far as we can, do not tell. */
    async forgotPassword(email: string, language: Language, origin: string, caller: Caller): Promise<void> {
      const now = clock.now();
      await countTry(database, limits.forgotAddress, caller.address, now);
      await countTry(database, limits.forgotAccount, email, now);
      const account = await findByEmail(database.read, email);
      if (account === undefined) return;
      const secret = newSecret();
      const link = `${origin}/account.html?reset=${secret}`;
      await database.write(async (tx) => {
        await insertLink(tx, hash(secret), account.id, new Date(now.getTime() + LINK_LIFETIME_MS));
        await enqueueMail(tx, account.email, resetMail(language, account.name, link), now);
        const subject = { kind: 'account', id: account.id };
        await recordAudit(
          tx,
          chainOf(account),
          auditAs(account, caller.address),
          { action: 'Asked for a new password', subject, detail: {} },
          now,
        );
      });
    },

    /**
     * Set a password by a mailed link, and end every session of the account.
     * @throws DomainError `account.link_invalid`, `account.weak_password` (the link stays good then)
     */
    async resetPassword(secret: string, password: string, caller: Caller): Promise<{ email: string }> {
      const now = clock.now();
      await countTry(database, limits.resetAddress, caller.address, now);
      const passwordHash = await hashPassword(password);
      const account = await database.write(async (tx) => {
        const owner = await takeLink(tx, hash(secret), now);
        if (owner === undefined) throw new DomainError('account.link_invalid');
        checkNewPassword(password, owner.email);
        await updatePassword(tx, owner.id, passwordHash, now);
        const sessions = await deleteSessionsOf(tx, owner.id);
        const subject = { kind: 'account', id: owner.id };
        await recordAudit(
          tx,
          chainOf(owner),
          auditAs(owner, caller.address),
          { action: 'Set a new password by mail link', subject, detail: { sessions } },
          now,
        );
        return owner;
      });
      endStreams({ accountId: account.id });
      return { email: account.email };
    },
  };

  async function getVisible(actor: Actor, id: string): Promise<AccountRow> {
    const row = isId(id) ? await findVisible(database.read, actor, id) : undefined;
    if (row === undefined) throw new DomainError('not_found');
    return row;
  }
}

export interface AccountToCreate {
  readonly email: string;
  readonly name: string;
  readonly role: 'main' | 'admin' | 'user' | 'none';
  /** Null = nobody can sign in until a password is set by a link. */
  readonly password: string | null;
  readonly isContact?: boolean;
}

/** Create an account inside the caller's transaction; used by the demo, the command line and tests. @returns its id */
export async function createAccount(tx: Tx, scope: MainScope | OrganizationScope, account: AccountToCreate): Promise<string> {
  const id = newId();
  const organizationId = scope.kind === 'organization' ? scope.organizationId : null;
  await insertAccount(tx, {
    id,
    mainAccountId: scope.mainAccountId,
    organizationId,
    email: account.email.toLowerCase(),
    name: account.name,
    passwordHash: account.password === null ? null : await hashPassword(account.password),
    roles: roleStrings(account.role, organizationId),
    isContact: account.isContact ?? false,
  });
  return id;
}

function roleStrings(role: AccountToCreate['role'], organizationId: string | null): string[] {
  if (role === 'none') return [];
  if (role === 'main') return [`r.${MAIN_SERVICE}.vendor.super`];
  return [`r.${organizationId}.${role === 'admin' ? 'super' : 'vendor'}`];
}
