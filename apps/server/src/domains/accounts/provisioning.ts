import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, type AuditAction, type AuditActor } from '../logs/index.ts';
import { enqueueMails } from '../mails/index.ts';
import { deleteAddress } from '../notifications/index.ts';
import {
  deleteAccountRow,
  findByEmail,
  findLanguage,
  isLastAdmin,
  lockById,
  updateLanguage,
  updateAccount,
  type AccountRow,
} from './accounts.store.ts';
import { isExcepted } from './company-sign-in.queries.ts';
import { takeIn } from './invitation.ts';
import { changeEmail, endAllMailsOf } from './mail-lists.ts';
import { replaceOwnRole } from './own-role.store.ts';
import type { MailContent } from './link-mail.ts';
import { addressMail, directoryMail } from './sign-in-mails.ts';
import { deleteSessionsOf } from './sessions.store.ts';
import { findAdmins } from './sign-in-policy.queries.ts';
import { roleOf } from './standing.ts';
import { endControls } from './users.service.ts';

/** Why the directory of a company cannot take the access of a person (IAM-02). */
export type Protection = 'last_admin' | 'excepted';

const MOST_ADMINS_MAILED = 50;

/** Lock a person of an organization. The organization is locked before (`lockAdmins`). Undefined: it has none with this id. */
export async function lockPerson(tx: Tx, scope: OrganizationScope, id: string): Promise<AccountRow | undefined> {
  const account = await lockById(tx, scope, id);
  return account?.organization_id === scope.organizationId && roleOf(account) !== 'main' ? account : undefined;
}

/**
 * A person whom a directory adds: a new account without a password, or one of the same main account without organization.
 * @throws DomainError `account.exists` for every other account with that address
 */
export function addPerson(
  tx: Tx,
  scope: OrganizationScope,
  { email, name, role }: { readonly email: string; readonly name: string; readonly role: 'user' | 'none' },
  now: Date,
): Promise<AccountRow> {
  const roles = role === 'none' ? [] : [rolesOf(scope, role)];
  return takeIn(tx, scope, email, { organizationId: scope.organizationId, roles, name, isContact: false }, now);
}

/** The string of a role in an organization. */
export const rolesOf = ({ organizationId }: OrganizationScope, role: 'admin' | 'user'): string =>
  `r.${organizationId}.${role === 'admin' ? 'super' : 'vendor'}`;

/** Whether a locked person must keep what they may do: the last admin, and those who are excepted from the rules of the company. */
export async function findProtection(tx: Tx, scope: OrganizationScope, account: AccountRow): Promise<Protection | undefined> {
  if (await isLastAdmin(tx, scope, account.id)) return 'last_admin';
  return (await isExcepted(tx, scope, account.email)) ? 'excepted' : undefined;
}

/**
 * Give a locked person other roles, with what follows from it: who has none is signed out everywhere, and gets no mails about devices.
 * @returns the row after it
 */
export async function replaceRoles(
  tx: Tx,
  scope: OrganizationScope,
  account: AccountRow,
  roles: readonly string[],
  now: Date,
): Promise<AccountRow> {
  const row = await updateAccount(tx, account.id, { roles: [...roles] }, now);
  const role = roleOf(row);
  await endControls(tx, scope, [row.id]);
  if (role === 'admin') await replaceOwnRole(tx, scope, row.id, null);
  if (role === 'user') await deleteAddress(tx, scope, row.email, false);
  if (role === undefined) {
    await deleteSessionsOf(tx, row.id);
    await endAllMailsOf(tx, scope, row, now);
  }
  return row;
}

/** Delete a locked person; sessions, streams, keys and links of the account are of no use from then on. */
export async function deletePerson(tx: Tx, scope: OrganizationScope, account: AccountRow, now: Date): Promise<void> {
  await endAllMailsOf(tx, scope, account, now);
  await deleteAccountRow(tx, account.id);
}

/**
 * Name and address of a locked person, as a directory has them.
 * @returns the row after it
 * @throws DomainError `account.exists` for an address that is taken
 */
export async function describePerson(
  tx: Tx,
  account: AccountRow,
  { email, name, language }: { readonly email: string; readonly name: string; readonly language: 'en-US' | 'zh-TW' | undefined },
  now: Date,
): Promise<AccountRow> {
  if (language !== undefined) await updateLanguage(tx, account.id, language);
  const named = name === account.name ? account : await updateAccount(tx, account.id, { name }, now);
  if (email === account.email) return named;
  if ((await findByEmail(tx, email)) !== undefined) throw new DomainError('account.exists', { field: 'email' });
  return changeEmail(tx, named, email, now);
}

/** Log what a directory did with an account, and notify whom it concerns; streams and tunnels of the account look whether they may go on. */
export async function recordProvisioned(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  id: string,
  { action, detail }: { readonly action: AuditAction; readonly detail: Readonly<Record<string, unknown>> },
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'accounts', [id]);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'account', id }, detail }, now);
}

/** A mail to the admins of an organization: its directory tried to take the access of someone who must keep it. */
export async function mailProtection(
  tx: Tx,
  scope: OrganizationScope,
  event: { readonly email: string; readonly by: string; readonly wish: 'access' | 'address' },
  now: Date,
): Promise<void> {
  await mailAdmins(tx, scope, ({ language, name }) => directoryMail(language, name, event), now);
}

/** A mail to the address that a locked person had until now, and to the admins where it is one of them: its directory gives them another one. */
export async function mailAddressChange(
  tx: Tx,
  scope: OrganizationScope,
  account: AccountRow,
  { to, by }: { readonly to: string; readonly by: string },
  now: Date,
): Promise<void> {
  const change = { email: account.email, to, by };
  const language = await findLanguage(tx, account.id);
  const mail = addressMail(language, account.name, change);
  await enqueueMails(tx, [{ to: account.email, kind: 'account', organizationId: scope.organizationId, ...mail }], now);
  const others = (admin: AdminRow) =>
    admin.email === account.email ? undefined : addressMail(admin.language, admin.name, change);
  if (roleOf(account) === 'admin') await mailAdmins(tx, scope, others, now);
}

type AdminRow = Awaited<ReturnType<typeof findAdmins>>[number];

async function mailAdmins(
  tx: Tx,
  scope: OrganizationScope,
  write: (admin: AdminRow) => MailContent | undefined,
  now: Date,
): Promise<void> {
  const admins = await findAdmins(tx, scope, MOST_ADMINS_MAILED);
  const mails = admins.flatMap((admin) => {
    const mail = write(admin);
    return mail === undefined
      ? []
      : [{ to: admin.email, kind: 'account' as const, organizationId: scope.organizationId, ...mail }];
  });
  await enqueueMails(tx, mails, now);
}
