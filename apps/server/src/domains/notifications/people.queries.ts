// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { enqueueMails } from '../mails/index.ts';
import type { MailReader, MailText } from './notification.mail.ts';
import { accountOf } from './recipient-list.queries.ts';

/**
 * Write a mail to each address, in its language and zone: from its notification entry, otherwise from its account, otherwise English and
 * UTC. None if the organization is deleted.
 * @returns how many were written
 */
export async function mailPeople(
  tx: Tx,
  scope: OrganizationScope,
  addresses: readonly string[],
  origin: string,
  textFor: (reader: MailReader) => MailText,
  now: Date,
): Promise<number> {
  const readers = await readersOf(tx, scope, addresses);
  const mails = readers.map(({ mail: to, ...reader }) => ({
    to,
    ...textFor({ ...reader, origin }),
    kind: 'notification' as const,
    organizationId: scope.organizationId,
  }));
  await enqueueMails(tx, mails, now);
  return mails.length;
}

/** Language, zone and name of the readers of an organization's mails, by address. */
export async function readersOf(
  tx: Tx,
  scope: OrganizationScope,
  addresses: readonly string[],
): Promise<(Omit<MailReader, 'origin'> & { readonly mail: string })[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<Omit<MailReader, 'origin'> & { mail: string }>`
    select s.mail, coalesce(n.recipient, '') as recipient, coalesce(n.language, a.language, 'en-US') as language,
      coalesce(n.zone, 'UTC') as zone, o.name as organization
    from (select distinct unnest(${[...addresses]}::text[]) as mail, ${scope.organizationId}::uuid as organization_id) s (mail, organization_id)
      join organizations o on o.id = s.organization_id and o.deleted_at is null
      left join notification_subscriptions n on n.organization_id = s.organization_id and n.mail = s.mail
      ${accountOf}
    order by s.mail`.execute(tx);
  return rows;
}
