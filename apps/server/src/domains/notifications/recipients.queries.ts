// Reads tables of other domains: organizations.
import type { Language, notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { accountOf, counts } from './recipient-list.queries.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A recipient of an event. */
export interface Recipient extends Row<'notification_subscriptions', 'mail'> {
  /** Empty if not set. */
  readonly recipient: string;
  /** Null for every group. */
  readonly groupKeys: readonly string[] | null;
  readonly language: Language;
  readonly zone: string;
}

/**
 * Language and zone of a recipient: from the notification entry, otherwise from the account's invitation, otherwise English and
 * UTC.
 */
export const recipientColumns = sql`s.mail, s.recipient, s.group_keys as "groupKeys", coalesce(s.language, a.language, 'en-US') as language,
  coalesce(s.zone, 'UTC') as zone`;

/** The present recipients of an event of an organization; none if the organization is gone. */
export async function findRecipients(
  tx: Tx,
  scope: OrganizationScope,
  event: notifications.NotificationEvent,
): Promise<{ readonly organization: string; readonly recipients: readonly Recipient[] }> {
  const { rows } = await sql<Recipient & { organization: string }>`
    select ${recipientColumns}, o.name as organization
    from notification_subscriptions s join organizations o on o.id = s.organization_id ${accountOf}
    where s.organization_id = ${scope.organizationId}::uuid and ${event} = any(s.events) and o.deleted_at is null and ${counts}
    order by s.mail`.execute(tx);
  return { organization: rows[0]?.organization ?? '', recipients: rows };
}
