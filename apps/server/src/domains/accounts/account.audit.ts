import type { Role } from '@highline/contract';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { type AuditAction, recordAudit } from '../logs/index.ts';
import type { AccountRow } from './accounts.store.ts';
import { roleOf } from './standing.ts';

/** A user who acts on their own account, signed in or about to be. */
type Person = Pick<Actor, 'accountId' | 'email' | 'mainAccountId' | 'organizationId' | 'address'> & {
  readonly role: Role | 'none';
};

/** The owner of an account, at an address. */
export function personOf(account: AccountRow, address: string): Person {
  return {
    accountId: account.id,
    email: account.email,
    role: roleOf(account) ?? 'none',
    mainAccountId: account.main_account_id,
    organizationId: account.organization_id,
    address,
  };
}

/** Log what a user did with their own account, and notify the affected consoles. */
export async function recordOwn(
  tx: Tx,
  person: Person,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announceOwn(tx, person);
  // An event without an organization is written into the main account's chain.
  const chain = person.organizationId ?? person.mainAccountId;
  await recordAudit(tx, chain, person, { action, subject: { kind: 'account', id: person.accountId }, detail }, now);
}

/**
 * Notify the consoles that show an account of its change: lists show who is signed in, and the account's own streams check
 * whether they may continue.
 */
function announceOwn(tx: Tx, person: Person): Promise<void> {
  return announce(tx, homeOf(person), 'accounts', [person.accountId]);
}

/** The scope whose consoles show an account. */
export function homeOf({
  mainAccountId,
  organizationId,
}: Pick<Person, 'mainAccountId' | 'organizationId'>): MainScope | OrganizationScope {
  return organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
}
