// Reads tables of other domains: accounts.
import { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import {
  allOf,
  contains,
  fieldOf,
  readShortPage,
  rejectCursor,
  searchable,
  sortOf,
  type Fragment,
  type Reader,
  type RowStreams,
  type ShortList,
} from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { versionOf } from './recipient.version.ts';

type RecipientQuery = z.output<typeof notifications.listRecipients.query>;

interface RecipientRow {
  readonly mail: string;
  readonly recipient: string;
  readonly events: readonly notifications.NotificationEvent[];
  readonly group_keys: string[] | null;
  readonly role: 'admin' | 'user' | null;
}

/** The account of an entry's address, if it belongs to the organization; other accounts are not revealed. */
export const accountOf: Fragment = sql`left join accounts a on a.email = s.mail and a.organization_id = s.organization_id`;

/** True for an admin of the organization (AUTH-07). */
const isAdmin: Fragment = sql`('r.' || s.organization_id::text || '.super') = any(a.roles)`;

/** Whether an entry is effective: for an account of the organization only with the admin role, for other addresses always. */
export const counts: Fragment = sql`(a.id is null or ${isAdmin})`;

/** One page of the notification entries, by address. */
export async function pageRecipients(reader: Reader, scope: OrganizationScope, query: RecipientQuery, limit: number) {
  rejectCursor(query.cursor);
  const page = { limit, offset: query.offset ?? 0 };
  const { rows, total } = await readShortPage<RecipientRow>(reader, recipientList(scope, query), page);
  return { result: rows.map(toRecipientDto), total };
}

/** As `pageRecipients`, but all of them, streamed. */
export async function* streamRecipients(
  streams: RowStreams,
  scope: OrganizationScope,
  query: RecipientQuery,
): AsyncGenerator<notifications.NotificationRecipient> {
  const { select, orderBy } = recipientList(scope, query);
  for await (const row of streams.open<RecipientRow>(sql`${select} order by ${orderBy}`)) yield toRecipientDto(row);
}

/** The present entry of an address; without types if it has none. */
export async function readRecipient(
  reader: Reader,
  scope: OrganizationScope,
  mail: string,
): Promise<notifications.NotificationRecipient> {
  const [row] = await reader.rows<RecipientRow>(recipientList(scope, { mail }).select);
  return row === undefined
    ? { mail, recipient: '', types: [], gids: ['all'], role: null, version: versionOf(undefined) }
    : toRecipientDto(row);
}

function recipientList(scope: OrganizationScope, query: RecipientQuery): ShortList {
  const own = sql`s.organization_id = ${scope.organizationId}::uuid`;
  const where = allOf([own, ...addressOf(query), ...searchOf(query)]);
  const { descending } = sortOf(query.sort, ['mail'], 'mail');
  return {
    select: sql`select s.mail, s.recipient, s.events, s.group_keys,
        case when a.id is null then null when ${isAdmin} then 'admin' else 'user' end as role
      from notification_subscriptions s ${accountOf} where ${where}`,
    count: sql`select count(*)::int as total from notification_subscriptions s where ${where}`,
    orderBy: sql`s.mail ${descending ? sql`desc` : sql`asc`}`,
  };
}

/** One address, whatever its letter case; addresses are kept in lower case. */
function addressOf({ mail }: RecipientQuery): Fragment[] {
  return mail === undefined || mail === '' ? [] : [sql`s.mail = ${searchable(mail, 'mail').trim().toLowerCase()}`];
}

function searchOf({ search, field, ignoreCase }: RecipientQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  fieldOf(field, ['mail'], 'mail');
  return [contains(sql`s.mail`, searchable(search, 'search'), { ignoreCase })];
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
