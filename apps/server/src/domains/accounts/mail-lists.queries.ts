// Reads tables of other domains: alert_bursts, alert_people, alert_rules, mails, notification_subscriptions, organizations, webhook_endpoints.
import { sql } from 'kysely';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** A person whose address may be on a list. */
export interface Listed {
  readonly id: string;
  readonly email: string;
}

/**
 * The organizations of a main account of which people have a browser, or their address is on a list or waited for by a mail: for all of them at once.
 */
export async function listInforming<T extends Listed>(
  queries: Queries,
  { mainAccountId }: MainScope,
  people: readonly T[],
): Promise<{ readonly person: T; readonly place: OrganizationScope }[]> {
  const { rows } = await sql<{
    person: number;
    id: string;
  }>`select (n.number - 1)::int as person, o.id
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[]) with ordinality n (id, email, number)
    join organizations o on o.main_account_id = ${mainAccountId}::uuid and (
      exists (select from alert_people p where p.organization_id = o.id and p.mail = n.email)
      or exists (select from alert_rules r where r.organization_id = o.id
        and jsonb_path_exists(r.channels, '$.**.mails[*] ? (@ == $mail)', jsonb_build_object('mail', n.email)))
      or exists (select from alert_bursts b where b.organization_id = o.id
        and jsonb_path_exists(b.deleted_rule, '$.**.mails[*] ? (@ == $mail)', jsonb_build_object('mail', n.email)))
      or exists (select from notification_subscriptions s where s.organization_id = o.id and s.mail = n.email)
      or exists (select from webhook_endpoints w where w.organization_id = o.id and w.account_id = n.id)
      or exists (select from mails m where m.organization_id = o.id and m.recipient = n.email and m.sent_at is null))
    order by n.number, o.id`.execute(queries);
  return rows.map(({ person, id: organizationId }) => ({
    person: people[person]!,
    place: { kind: 'organization', mainAccountId, organizationId },
  }));
}
