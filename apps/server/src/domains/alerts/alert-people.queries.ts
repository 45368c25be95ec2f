// Reads tables of other domains: accounts, notification_subscriptions, summaries.
import { type alertPeople, type alerts, notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Queries } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/index.ts';
import { isFullAdmin } from '../accounts/admins/index.ts';
import { browsersOf } from '../webhooks/index.ts';
import { versionOfPerson } from './alert-person.version.ts';
import { defineList, natural, shortList, type Fragment, type Reader } from '../../platform/listing/index.ts';

type PeopleQuery = z.output<typeof alertPeople.listPeople.query> & { readonly only?: string };

interface PersonRow {
  readonly mail: string;
  readonly name: string | null;
  readonly role: 'admin' | 'user' | null;
  readonly severities: alerts.Severity[] | null;
  readonly hours: alerts.Hours | null;
  readonly channels: alertPeople.PersonChannel[] | null;
  readonly rules: alertPeople.AlertPerson['rules'];
  readonly events: string[] | null;
  readonly reports: alertPeople.AlertPerson['reports'];
  readonly browsers: number;
}

/** The address of the first admin who belongs to the organization of `r`: its contact, otherwise the account that is there for longest. */
export const firstAdmin: Fragment = sql`(select a.email from accounts a where ${isFullAdmin(sql`r.organization_id`)}
  order by a.is_contact desc, a.created_at, a.id limit 1)`;

/** Whether alerts reach the person `p` of an organization: by mail, or in a browser; signing out ends them in it. */
export const isReached = (scope: OrganizationScope): Fragment =>
  sql`('mail' = any (p.channels) or 'push' = any (p.channels) and exists (select from ${browsersOf(scope, sql`p.mail`)}))`;

/** Enabled rules of the organization that inform the address of `s`. */
const rulesOf = ({
  organizationId,
}: OrganizationScope): Fragment => sql`alert_rules r where r.organization_id = ${organizationId}::uuid
  and r.is_enabled and (r.channels -> 'mails' @> to_jsonb(s.mail) or r.channels #> '{escalation,mails}' @> to_jsonb(s.mail)
    or (r.channels ->> 'firstAdmin')::boolean and s.mail = ${firstAdmin})`;

/** Saved summaries of the organization that are sent to the address of `s` on a schedule. */
const reportsOf = ({
  organizationId,
}: OrganizationScope): Fragment => sql`summaries m where m.organization_id = ${organizationId}::uuid
  and m.next_at is not null and s.mail = any (m.recipients)`;

/** The people of an organization who have access, and every other address that something of it informs. */
export const peopleList = defineList({
  of(scope: OrganizationScope, query: PeopleQuery) {
    const { organizationId } = scope;
    const own = sql`${organizationId}::uuid`;
    const addresses = sql`(select email as mail from accounts where organization_id = ${own} and roles <> '{}'
      union select mail from alert_people where organization_id = ${own}
      union select mail from notification_subscriptions where organization_id = ${own}
      union select jsonb_path_query(channels, '$.**.mails[*]') #>> '{}' from alert_rules where organization_id = ${own} and is_enabled
      union select unnest(recipients) from summaries where organization_id = ${own} and next_at is not null) s`;
    const joined = sql`${addresses} left join accounts a on a.email = s.mail and a.organization_id = ${own}
      left join alert_people p on p.organization_id = ${own} and p.mail = s.mail
      left join notification_subscriptions n on n.organization_id = ${own} and n.mail = s.mail`;
    const isInformed = sql`(coalesce(p.severities, '{}') <> '{}' and ${isReached(scope)} or coalesce(n.events, '{}') <> '{}' or exists (select from ${rulesOf(scope)})
      or exists (select from ${reportsOf(scope)}))`;
    return shortList<PeopleQuery>(query, {
      select: sql`select s.mail, coalesce(nullif(a.name, ''), n.recipient) as name,
          case when coalesce(a.roles, '{}') = '{}' then null when ('r.' || a.organization_id::text || '.super') = any (a.roles) then 'admin' else 'user' end as role,
          p.severities, p.hours, p.channels, n.events, (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name,
            'severity', r.severity) order by ${natural(sql`r.name`)}), '[]') from ${rulesOf(scope)}) as rules,
          (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name) order by ${natural(sql`m.name`)}), '[]')
            from ${reportsOf(scope)}) as reports,
          (select count(*)::int from ${browsersOf(scope, sql`s.mail`)}) as browsers
        from ${joined}`,
      table: joined,
      where: [
        ...(query.informed === undefined ? [] : [isInformed]),
        ...(query.only === undefined ? [] : [sql`s.mail = ${query.only}`]),
      ],
      fields: { mail: sql`s.mail` },
      sorts: { mail: [sql`s.mail`] },
      sort: 'mail',
    });
  },
  toDto: toPersonDto,
});

/** Whether an address is that of an account of the organization. */
export async function isMember(queries: Queries, { organizationId }: OrganizationScope, mail: string): Promise<boolean> {
  const { rows } = await sql`select 1 from accounts where organization_id = ${organizationId}::uuid and email = ${mail}`.execute(
    queries,
  );
  return rows.length > 0;
}

/** What an address of an organization is informed of; undefined = of nothing, and it is no one's. */
export async function readPerson(
  reader: Reader,
  scope: OrganizationScope,
  mail: string,
): Promise<alertPeople.AlertPerson | undefined> {
  const row = await peopleList.first(reader, scope, { only: mail });
  return row === undefined ? undefined : toPersonDto(row);
}

function toPersonDto(row: PersonRow): alertPeople.AlertPerson {
  const { severities } = row;
  return {
    mail: row.mail,
    name: row.name ?? '',
    role: row.role,
    severities: severities ?? [],
    hours: row.hours,
    channels: row.channels ?? [],
    rules: row.rules,
    events: notifications.notificationEvents.filter((event) => row.events?.includes(event) === true),
    reports: row.reports,
    browsers: row.browsers,
    version: versionOfPerson(severities === null ? undefined : { severities, hours: row.hours, channels: row.channels ?? [] }),
  };
}
