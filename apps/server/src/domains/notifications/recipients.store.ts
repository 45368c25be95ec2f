import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { cancelMails, cancelMailsOf } from '../mails/index.ts';

/** A stored notification entry of an address. */
export interface StoredRecipient {
  readonly mail: string;
  readonly recipient: string;
  readonly events: readonly notifications.NotificationEvent[];
  /** Null for every group. */
  readonly groupKeys: readonly string[] | null;
}

/** Language and zone of an address, if known. */
export interface Manner {
  readonly language?: 'en-US' | 'zh-TW' | undefined;
  readonly zone?: string | undefined;
}

/** A notification entry, locked until the transaction ends. */
export async function lockRecipient(tx: Tx, scope: OrganizationScope, mail: string) {
  return tx
    .selectFrom('notification_subscriptions')
    .select(['mail', 'recipient', 'events', 'group_keys as groupKeys', 'language', 'zone'])
    .where('organization_id', '=', scope.organizationId)
    .where('mail', '=', mail)
    .forUpdate()
    .executeTakeFirst();
}

/** For the limit of an organization. */
export async function countRecipients(tx: Tx, scope: OrganizationScope): Promise<number> {
  const { count } = await tx
    .selectFrom('notification_subscriptions')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Write an entry; omitted language and zone stay.
 * @returns false when it should be new and is not
 */
export async function putRecipient(
  tx: Tx,
  scope: OrganizationScope,
  { mail, recipient, events, groupKeys }: StoredRecipient,
  { language, zone }: Manner,
  { isNew }: { readonly isNew: boolean },
  now: Date,
): Promise<boolean> {
  const columns = { recipient, events: [...events], group_keys: groupKeys === null ? null : [...groupKeys], updated_at: now };
  const manner = { ...(language === undefined ? {} : { language }), ...(zone === undefined ? {} : { zone }) };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('notification_subscriptions')
    .values({ organization_id: scope.organizationId, mail, language: null, zone: null, ...columns, ...manner, created_at: now })
    .onConflict((conflict) => {
      const there = conflict.columns(['organization_id', 'mail']);
      return isNew ? there.doNothing() : there.doUpdateSet({ ...columns, ...manner });
    })
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Delete entries, with their queued mails. @returns the addresses that had one */
export async function removeRecipients(tx: Tx, scope: OrganizationScope, mails: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('notification_subscriptions')
    .where('organization_id', '=', scope.organizationId)
    .where('mail', 'in', manyOf(mails, 'text'))
    .returning('mail')
    .execute();
  for (const { mail } of rows) await cancelMails(tx, scope.organizationId, mail);
  return rows.map(({ mail }) => mail);
}

/** The group keys that are groups of the organization; none of them is deleted until the transaction ends. */
export async function lockRecipientGroups(tx: Tx, scope: OrganizationScope, keys: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('groups')
    .select('key')
    .where('organization_id', '=', scope.organizationId)
    .where('key', 'in', manyOf(keys, 'text'))
    .orderBy('key')
    .forKeyShare()
    .execute();
  return rows.map(({ key }) => key);
}

/** Remove deleted groups from all entries. An entry with only these groups then has no group, not all. */
export async function deleteGroupRecipients(tx: Tx, scope: OrganizationScope, keys: readonly string[]): Promise<void> {
  await sql`update notification_subscriptions
    set group_keys = array(select key from unnest(group_keys) key where key <> all (${[...keys]}::text[]))
    where organization_id = ${scope.organizationId}::uuid and group_keys && ${[...keys]}::text[]`.execute(tx);
}

/**
 * An account was deleted, or is not an admin any more: its queued mails are deleted. The entry of a deleted account is deleted
 * too; after a lost role it stays, without effect, until the role returns.
 */
export async function deleteAddress(tx: Tx, scope: OrganizationScope, mail: string, isDeleted: boolean): Promise<void> {
  if (isDeleted) await removeRecipients(tx, scope, [mail]);
  // Also of an address without an entry: alerts and summaries have mails of their own.
  await cancelMails(tx, scope.organizationId, mail);
}

/** An account has another address: its entry is that of the new one, unless that has one. What is queued for the old one is not sent. */
export async function moveAddress(tx: Tx, scope: OrganizationScope, from: string, to: string): Promise<void> {
  await sql`update notification_subscriptions s set mail = ${to} where s.organization_id = ${scope.organizationId}::uuid and s.mail = ${from}
    and not exists (select from notification_subscriptions n where n.organization_id = s.organization_id and n.mail = ${to})`.execute(
    tx,
  );
  await deleteAddress(tx, scope, from, true);
}

/** An organization is being deleted: end all its notifications, also those about earlier events. */
export async function silenceOrganization(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx
    .deleteFrom('notification_events')
    .where('organization_id', '=', organizationId)
    .where('notified_at', 'is', null)
    .execute();
  await cancelMailsOf(tx, organizationId);
}
