// Reads tables of other domains: accounts.
import { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { defineList, searchable, shortList, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { versionOf } from './recipient.version.ts';
import type { Row } from '../../platform/ports/tables.ts';

type RecipientQuery = z.output<typeof notifications.listRecipients.query>;

interface RecipientRow extends Row<'notification_subscriptions', 'mail' | 'recipient' | 'events' | 'group_keys'> {
  readonly role: 'admin' | 'user' | null;
}

/** The account of an entry's address, if it belongs to the organization; other accounts are not revealed. */
export const accountOf: Fragment = sql`left join accounts a on a.email = s.mail and a.organization_id = s.organization_id`;

/** True for an admin of the organization (AUTH-07). */
const isAdmin: Fragment = sql`('r.' || s.organization_id::text || '.super') = any(a.roles)`;

/** Whether an entry is effective: for an account of the organization only with the admin role, for other addresses always. */
export const counts: Fragment = sql`(a.id is null or ${isAdmin})`;

/** The notification entries of an organization, by address. */
export const recipientList = defineList({
  of: (scope: OrganizationScope, query: RecipientQuery) =>
    shortList(query, {
      select: sql`select s.mail, s.recipient, s.events, s.group_keys,
          case when a.id is null then null when ${isAdmin} then 'admin' else 'user' end as role
        from notification_subscriptions s ${accountOf}`,
      table: sql`notification_subscriptions s`,
      where: [sql`s.organization_id = ${scope.organizationId}::uuid`, ...addressOf(query)],
      fields: { mail: sql`s.mail` },
      sorts: { mail: [sql`s.mail`] },
      sort: 'mail',
    }),
  toDto: toRecipientDto,
});

/** The present entry of an address; without types if it has none. */
export async function readRecipient(
  reader: Reader,
  scope: OrganizationScope,
  mail: string,
): Promise<notifications.NotificationRecipient> {
  const row = await recipientList.first(reader, scope, { mail });
  return row === undefined
    ? { mail, recipient: '', types: [], gids: ['all'], role: null, version: versionOf(undefined) }
    : toRecipientDto(row);
}

/** One address. */
function addressOf({ mail }: RecipientQuery): Fragment[] {
  return mail === undefined || mail === '' ? [] : [sql`s.mail = ${searchable(mail, 'mail')}`];
}

function toRecipientDto({ mail, recipient, events, group_keys, role }: RecipientRow): notifications.NotificationRecipient {
  return {
    mail,
    recipient,
    types: [...events],
    gids: group_keys ?? ['all'],
    role,
    version: versionOf({ recipient, events, groupKeys: group_keys }),
  };
}
