// Reads tables of other domains: alert_people, alert_rules, mails, notification_subscriptions, organizations, webhook_endpoints.
import { sql } from 'kysely';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** The organizations of a main account of which an account has a browser, or its address is on a list or waited for by a mail. */
export async function listInforming(
  queries: Queries,
  { mainAccountId }: MainScope,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<OrganizationScope[]> {
  const { rows } = await sql<{
    id: string;
  }>`select o.id from organizations o where o.main_account_id = ${mainAccountId}::uuid and (
      exists (select from alert_people p where p.organization_id = o.id and p.mail = ${email})
      or exists (select from alert_rules r where r.organization_id = o.id
        and jsonb_path_exists(r.channels, '$.**.mails[*] ? (@ == $mail)', jsonb_build_object('mail', ${email}::text)))
      or exists (select from notification_subscriptions s where s.organization_id = o.id and s.mail = ${email})
      or exists (select from webhook_endpoints w where w.organization_id = o.id and w.account_id = ${id}::uuid)
      or exists (select from mails m where m.organization_id = o.id and m.recipient = ${email} and m.sent_at is null))
    order by o.id`.execute(queries);
  return rows.map(({ id: organizationId }) => ({ kind: 'organization', mainAccountId, organizationId }));
}
