import type { alertPeople, alerts, Language } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'alert_people.severities': alerts.Severity[];
    'alert_people.hours': alerts.Hours | null;
    'alert_people.channels': alertPeople.PersonChannel[];
    'alert_people.language': Language;
  }
}

/** Which alerts an address gets. */
export type StoredPerson = Row<'alert_people', 'mail' | 'severities' | 'hours' | 'channels' | 'language' | 'zone'>;

/** Changes of the people of one organization wait here for each other. @returns how many there are */
export async function lockPeople(tx: Tx, { organizationId }: OrganizationScope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alert people of ${organizationId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('alert_people')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findPerson(tx: Tx, { organizationId }: OrganizationScope, mail: string): Promise<StoredPerson | undefined> {
  return tx
    .selectFrom('alert_people')
    .select(['mail', 'severities', 'hours', 'channels', 'language', 'zone'])
    .where('organization_id', '=', organizationId)
    .where('mail', '=', mail)
    .executeTakeFirst();
}

export async function putPerson(tx: Tx, { organizationId }: OrganizationScope, person: StoredPerson, now: Date): Promise<void> {
  const { mail, severities, hours, channels, language, zone } = person;
  await sql`insert into alert_people (organization_id, mail, severities, hours, channels, language, zone, updated_at)
    values (${organizationId}::uuid, ${mail}, ${[...severities]}::text[], ${hours === null ? null : JSON.stringify(hours)}::jsonb,
      ${[...channels]}::text[], ${language}, ${zone}, ${now}::timestamptz)
    on conflict (organization_id, mail) do update set severities = excluded.severities, hours = excluded.hours,
      channels = excluded.channels, language = excluded.language, zone = excluded.zone, updated_at = excluded.updated_at`.execute(
    tx,
  );
}

/** The entry of an address becomes that of another one, unless that has one. */
export async function movePersonRow(tx: Tx, { organizationId }: OrganizationScope, from: string, to: string): Promise<void> {
  await sql`update alert_people p set mail = ${to} where p.organization_id = ${organizationId}::uuid and p.mail = ${from}
    and not exists (select from alert_people n where n.organization_id = p.organization_id and n.mail = ${to})`.execute(tx);
}

/** @returns the addresses that had an entry */
export async function removePeople(tx: Tx, { organizationId }: OrganizationScope, mails: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('alert_people')
    .where('organization_id', '=', organizationId)
    .where('mail', 'in', [...mails])
    .returning('mail')
    .execute();
  return rows.map(({ mail }) => mail);
}

/** The rules of an organization that name an address, locked. */
export async function lockRulesNaming(
  tx: Tx,
  { organizationId }: OrganizationScope,
  mail: string,
): Promise<Row<'alert_rules', 'id' | 'name' | 'channels'>[]> {
  const { rows } = await sql<Row<'alert_rules', 'id' | 'name' | 'channels'>>`select id, name, channels from alert_rules
    where organization_id = ${organizationId}::uuid and (channels -> 'mails' @> to_jsonb(${mail}::text)
      or channels #> '{escalation,mails}' @> to_jsonb(${mail}::text)) order by id for no key update`.execute(tx);
  return rows;
}

/** Replace whom a locked rule informs. */
export async function saveChannels(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  channels: alerts.Channels,
  now: Date,
): Promise<void> {
  await sql`update alert_rules set channels = ${JSON.stringify(channels)}::jsonb, version = version + 1, updated_at = ${now}::timestamptz
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(tx);
}

/** The deleted rules of an organization that name an address for the end of their alerts, locked. */
export async function lockDeletedRulesNaming(
  tx: Tx,
  { organizationId }: OrganizationScope,
  mail: string,
): Promise<(Row<'alert_bursts', 'rule_id'> & Row<'alert_rules', 'channels'>)[]> {
  const { rows } = await sql<Row<'alert_bursts', 'rule_id'> & Row<'alert_rules', 'channels'>>`
    select rule_id, deleted_rule -> 'channels' as channels from alert_bursts
    where organization_id = ${organizationId}::uuid and kind = 'ended' and jsonb_path_exists(deleted_rule, '$.**.mails[*] ? (@ == $mail)', jsonb_build_object('mail', ${mail}::text))
    order by rule_id for update`.execute(tx);
  return rows;
}

/** Replace whom the end of alerts of a locked deleted rule is sent to. */
export async function saveDeletedChannels(
  tx: Tx,
  { organizationId }: OrganizationScope,
  ruleId: string,
  channels: alerts.Channels,
): Promise<void> {
  await sql`update alert_bursts set deleted_rule = jsonb_set(deleted_rule, '{channels}', ${JSON.stringify(channels)}::jsonb)
    where organization_id = ${organizationId}::uuid and rule_id = ${ruleId}::uuid and kind = 'ended'`.execute(tx);
}
