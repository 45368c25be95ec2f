import { wireRole } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import { newId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Tx } from '../../ports/database.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';
import { enqueueMail, type Language } from '../mails/index.ts';
import {
  belongsNowhere,
  findOrganizationName,
  holdByEmail,
  insertLink,
  tryInsertAccount,
  updateLanguage,
  updateMembership,
  type AccountRow,
} from './accounts.store.ts';
import { invitationMail } from './invitation-mail.ts';
import { hashSecret, newSecret } from './secret.ts';

const LINK_LIFETIME_MS = 7 * 86_400_000;

export interface Invitation {
  /** As the contract's `email` schema leaves it: trimmed, lower-case. */
  readonly email: string;
  readonly name: string;
  readonly role: 'admin' | 'user';
  /** Whether the person is the organization's contact (ORG-03, ORG-05). */
  readonly isContact: boolean;
  /** Of the mail. */
  readonly language: Language;
  /** Scheme, name and port under which the link leads here. */
  readonly origin: string;
}

/**
 * Take a person into an organization, inside the caller's transaction: a new account without a password, or one of the same main
 * account that belongs nowhere. Mails a link, good once within seven days, to set a password (USR-02).
 * @throws DomainError `account.exists` for every other account of that address, `not_found` where the organization is gone
 */
export async function inviteAccount(
  tx: Tx,
  scope: OrganizationScope,
  invitation: Invitation,
  actor: Actor,
  now: Date,
): Promise<AccountRow> {
  const organization = await findOrganizationName(tx, scope.organizationId);
  if (organization === undefined) throw new DomainError('not_found');
  const account = await takeIn(tx, scope, invitation, now);
  const secret = newSecret();
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  await insertLink(tx, { secretHash: hashSecret(secret), accountId: account.id, purpose: 'invitation', expiresAt });
  const link = `${invitation.origin}/account.html?invitation=${secret}`;
  const words = invitationMail(invitation.language, invitation.name, organization, link);
  const about = { kind: 'invitation', organizationId: scope.organizationId } as const;
  await enqueueMail(tx, { to: account.email, ...words, ...about }, now);
  await updateLanguage(tx, account.id, invitation.language);
  await announce(tx, scope, 'accounts', [account.id]);
  const { email, name, role, isContact } = invitation;
  const subject = { kind: 'account', id: account.id };
  await recordAudit(
    tx,
    scope.organizationId,
    actor,
    { action: `Invited ${email}`, subject, detail: { name, role, isContact } },
    now,
  );
  return account;
}

async function takeIn(tx: Tx, scope: OrganizationScope, invitation: Invitation, now: Date): Promise<AccountRow> {
  const { email, name, role, isContact } = invitation;
  const roles = [`r.${scope.organizationId}.${wireRole(role)}`];
  const account = { id: newId(now.getTime()), ...scope, email, name, passwordHash: null, roles, isContact };
  // Two who invite the same person at once: one inserts, the other waits and then finds the account taken.
  const created = await tryInsertAccount(tx, account);
  if (created !== undefined) return created;
  const existing = await holdByEmail(tx, email);
  if (existing === undefined || !(await mayTake(tx, existing, scope)))
    throw new DomainError('account.exists', { field: 'email' });
  return updateMembership(tx, existing.id, { organizationId: scope.organizationId, roles, name, isContact }, now);
}

/** Another main account's answers like one that is taken. */
async function mayTake(tx: Tx, account: AccountRow, scope: OrganizationScope): Promise<boolean> {
  return account.main_account_id === scope.mainAccountId && (await belongsNowhere(tx, account));
}
