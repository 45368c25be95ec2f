// Reads tables of other domains: organizations, usage_zones.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { enqueueMails } from '../mails/index.ts';
import type { MailReader, MailText } from './notification.mail.ts';
import { accountOf } from './recipient-list.queries.ts';

/**
 * Write a mail to each address, in its language and zone: as the caller knows them, otherwise from its notification entry, otherwise the
 * language of its account and the zone of the organization, otherwise English and UTC. None if the organization is deleted.
 * @returns how many were written
 */
export async function mailPeople(
  tx: Tx,
  scope: OrganizationScope,
  addresses: readonly string[],
  origin: string,
  textFor: (reader: MailReader, mail: string) => MailText,
  now: Date,
  { locales, zone }: Locales = {},
): Promise<number> {
  const readers = await readersOf(tx, scope, addresses, zone);
  const mails = readers.map(({ mail: to, ...reader }) => ({
    to,
    ...textFor({ ...reader, ...locales?.get(to), origin }, to),
    kind: 'notification' as const,
    organizationId: scope.organizationId,
  }));
  await enqueueMails(tx, mails, now);
  return mails.length;
}

/** What the caller knows of the readers of a mail. */
interface Locales {
  readonly locales?: ReadonlyMap<string, Pick<MailReader, 'language' | 'zone'>>;
  /** Of readers who have chosen none. */
  readonly zone?: string;
}

/** Language, zone and name of the readers of an organization's mails, by address. */
export async function readersOf(
  tx: Tx,
  scope: OrganizationScope,
  addresses: readonly string[],
  zone?: string,
): Promise<(Omit<MailReader, 'origin'> & { readonly mail: string })[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<Omit<MailReader, 'origin'> & { mail: string }>`
    select s.mail, coalesce(n.recipient, '') as recipient, coalesce(n.language, a.language, 'en-US') as language, o.name as organization,
      coalesce(n.zone, ${zone ?? null}, (select z.zone from usage_zones z where z.organization_id = s.organization_id
        order by z.from_at desc limit 1), 'UTC') as zone
    from (select distinct unnest(${[...addresses]}::text[]) as mail, ${scope.organizationId}::uuid as organization_id) s (mail, organization_id)
      join organizations o on o.id = s.organization_id and o.deleted_at is null
      left join notification_subscriptions n on n.organization_id = s.organization_id and n.mail = s.mail
      ${accountOf}
    order by s.mail`.execute(tx);
  return rows;
}
