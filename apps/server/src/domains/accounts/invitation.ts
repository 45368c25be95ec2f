import { type Language, toApiRole } from '@highline/contract';
import { DomainError, required, newId } from '../../kernel/index.ts';
import type { Actor, OrganizationScope, Scope, Sealing } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { dropControls } from '../groups/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { cancelLinkMails, enqueueMail } from '../mails/index.ts';
import { deleteVisitsOf } from '../visits/former-guests/index.ts';
import {
  belongsNowhere,
  endLinks,
  findOrganizationName,
  findVisible,
  lockByEmail,
  insertLink,
  tryInsertAccount,
  updateLanguage,
  updateAccount,
  type AccountRow,
  type Membership,
} from './accounts.store.ts';
import { invitationMail } from './invitation-mail.ts';
import { replaceLimit } from './limits.store.ts';
import { replaceOwnRole } from './own-role.store.ts';
import { hashSecret, newSecret } from './secret.ts';
import { roleOf } from './standing.ts';

const LINK_LIFETIME_MS = 7 * 86_400_000;

export interface Invitation {
  /** As returned by the contract's `email` schema: trimmed, lower-case. */
  readonly email: string;
  readonly name?: Membership['name'];
  readonly role: 'admin' | 'user';
  /** Whether the user is the organization's contact (ORG-03, ORG-05). */
  readonly isContact: boolean;
  /** Language of the mail. */
  readonly language: Language;
  /** Scheme, name and port of the link. */
  readonly origin: string;
  /** Encrypts mails with secret links. */
  readonly mailSealing: Sealing;
}

/** The content of an invitation mail. */
export interface InvitationLetter extends Pick<Invitation, 'language' | 'origin' | 'mailSealing'> {
  /** Name of the organization, or of the main account. */
  readonly tenantName: string;
  readonly inviter: Actor;
}

/**
 * Add a user to an organization, inside the caller's transaction: a new account without a password, or one of the same main
 * account that belongs nowhere. Mails a link to set a password, valid once within seven days (USR-02).
 * @throws DomainError `account.exists` for every other account with that address, `not_found` if the organization is gone
 */
export async function inviteAccount(
  tx: Tx,
  scope: OrganizationScope,
  invitation: Invitation,
  actor: Actor,
  now: Date,
): Promise<AccountRow> {
  const { organizationId } = scope;
  const tenantName = required(await findOrganizationName(tx, organizationId), 'not_found');
  const { email, name, role, isContact } = invitation;
  const roles = [`r.${organizationId}.${toApiRole(role)}`];
  const account = await takeIn(tx, scope, email, { organizationId, roles, name, isContact }, now);
  await mailInvitation(tx, account, { ...invitation, tenantName, inviter: actor }, now);
  await announce(tx, scope, 'accounts', [account.id]);
  const subject = { kind: 'account', id: account.id };
  await recordAudit(
    tx,
    organizationId,
    actor,
    { action: sentence('account.invited', email), subject, detail: { name: account.name, role, isContact } },
    now,
  );
  return account;
}

/**
 * Mail a link to set a password, in the caller's transaction, and invalidate the links of earlier invitations.
 * @returns when the new link expires
 */
export async function mailInvitation(
  tx: Tx,
  account: AccountRow,
  { inviter, language, tenantName: tenant, origin, mailSealing }: InvitationLetter,
  now: Date,
): Promise<Date> {
  const { id, email, name, organization_id: organizationId } = account;
  // A mail still in the queue would carry an invalid link; links that the user requested stay valid.
  await cancelLinkMails(tx, await endLinks(tx, id, ['invitation'], now));
  const secret = newSecret();
  const secretHash = hashSecret(secret);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  const sender = await findVisible(tx, inviter, inviter.accountId);
  const inviterName = sender?.name ?? inviter.email;
  await insertLink(tx, { secretHash, accountId: id, purpose: 'invitation', createdAt: now, expiresAt, inviter: inviterName });
  const texts = { name, inviter: inviterName, tenant, role: roleOf(account) ?? 'user' };
  const mail = invitationMail(language, texts, `${origin}/account.html?invitation=${secret}`);
  await enqueueMail(
    tx,
    { to: email, ...mail, kind: 'invitation', organizationId, link: { secretHash, sealing: mailSealing } },
    now,
  );
  await updateLanguage(tx, id, language);
  return expiresAt;
}

/**
 * A new account without a password, or one of the same main account that belongs nowhere.
 * @throws DomainError `account.exists` for every other account with that address
 */
export async function takeIn(tx: Tx, scope: Scope, email: string, membership: Membership, now: Date): Promise<AccountRow> {
  const { mainAccountId } = scope;
  const account = {
    id: newId(now.getTime()),
    mainAccountId,
    email,
    passwordHash: null,
    ...membership,
    name: membership.name ?? email.slice(0, 100),
  };
  // If two users invite the same address at once, one inserts, the other waits and then finds the account taken.
  const created = await tryInsertAccount(tx, account);
  if (created !== undefined) return created;
  const existing = await lockByEmail(tx, email);
  if (existing === undefined || !(await mayTake(tx, existing, scope)))
    throw new DomainError('account.exists', { field: 'email' });
  return joinCompany(tx, scope, existing, membership, now);
}

/** Add a locked account that belongs nowhere to a company; nothing of where it was before stays with it. */
export async function joinCompany(
  tx: Tx,
  scope: Scope,
  { id, organization_id: before }: AccountRow,
  membership: Membership,
  now: Date,
): Promise<AccountRow> {
  const within = (organizationId: string) =>
    ({ kind: 'organization', mainAccountId: scope.mainAccountId, organizationId }) as const;
  if (before !== null) {
    await replaceLimit(tx, within(before), id, null, now);
    await dropControls(tx, within(before), [id]);
  }
  await replaceOwnRole(tx, scope, id, null);
  if (membership.organizationId !== null) await deleteVisitsOf(tx, within(membership.organizationId), id);
  const { organizationId, roles, name, isContact } = membership;
  const change = {
    organization_id: organizationId,
    roles: [...roles],
    is_contact: isContact,
    ...(name !== undefined && { name }),
  };
  return updateAccount(tx, id, change, now);
}

/** An account of another main account is answered like one that is taken. */
async function mayTake(tx: Tx, account: AccountRow, scope: Scope): Promise<boolean> {
  return account.main_account_id === scope.mainAccountId && (await belongsNowhere(tx, account));
}
