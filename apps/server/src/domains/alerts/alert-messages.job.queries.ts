// Reads tables of other domains: groups.
import type { alerts } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { firstAdmin } from './alert-people.queries.ts';
import type { ChangedAlert } from './alerts.job.queries.ts';

// Statements of the job that writes messages about the alerts of every organization.

export type NoticeKind = 'fired' | 'escalated' | 'ended';

/** The messages of a rule. */
export type Burst = Row<'alert_notices', 'organization_id' | 'rule_id' | 'kind'>;

/** The rules `r` of alerts: also those that were deleted lately, for messages that their alerts ended. */
const rules = sql`(select organization_id, id, main_account_id, name, severity, channels, false as is_deleted from alert_rules
  union all select organization_id, rule_id, (deleted_rule ->> 'main_account_id')::uuid, deleted_rule ->> 'name', deleted_rule ->> 'severity',
    deleted_rule -> 'channels', true from alert_bursts where kind = 'ended' and deleted_rule is not null) r`;

/** Note that people are to be informed of alerts: now, and later if anyone has acknowledged them. */
export async function insertNotices(tx: Tx, fired: readonly ChangedAlert[], now: Date): Promise<void> {
  if (fired.length === 0) return;
  await sql`insert into alert_notices (organization_id, alert_id, kind, rule_id, due_at)
    select a.organization_id, a.id, k.kind, a.rule_id, case k.kind when 'fired' then ${now}::timestamptz
        else ${now}::timestamptz + make_interval(mins => (r.channels -> 'escalation' ->> 'afterMinutes')::integer) end
    from unnest(${fired.map((each) => each.organization_id)}::uuid[], ${fired.map(({ id }) => id)}::uuid[]) as f (organization_id, id)
      join alerts a on a.organization_id = f.organization_id and a.id = f.id
      join alert_rules r on r.organization_id = a.organization_id and r.id = a.rule_id
      cross join (values ('fired'), ('escalated')) as k (kind)
    where k.kind = 'fired' or r.channels -> 'escalation' ->> 'afterMinutes' is not null
    on conflict do nothing`.execute(tx);
}

/**
 * Note that these alerts ended: those of storms, and others once a message said that they fired. A crossing of a geofence is
 * over at once, and what left the scope of its rule has not recovered: of storms the message says which ones, because their incident is closed.
 */
export async function insertEnded(
  tx: Tx,
  ended: readonly { readonly organization_id: string; readonly id: string }[],
  now: Date,
): Promise<void> {
  if (ended.length === 0) return;
  await sql`insert into alert_notices (organization_id, alert_id, kind, rule_id, due_at)
    select a.organization_id, a.id, 'ended', a.rule_id, ${now}::timestamptz
    from unnest(${ended.map((each) => each.organization_id)}::uuid[], ${ended.map(({ id }) => id)}::uuid[]) as f (organization_id, id)
      join alerts a on a.organization_id = f.organization_id and a.id = f.id
      join ${rules} on r.organization_id = a.organization_id and r.id = a.rule_id
    where a.state = 'resolved' and (a.storm_id is not null
      or a.resolution = 'cleared' and a.kind <> 'geofence'
        and not exists (select from alert_notices n where n.organization_id = a.organization_id and n.alert_id = a.id and n.kind = 'fired'))
    on conflict do nothing`.execute(tx);
}

/** A storm of which alerts are over. */
export interface EndingStorm {
  readonly storm_id: string;
  /** Of its alerts, how many are not over. */
  readonly open: number;
  /** Since when some are. */
  readonly since: Date;
}

/** The storms of a rule of which alerts are over, and no message was written yet. */
export async function listEndingStorms(tx: Tx, { organization_id, rule_id }: Burst): Promise<EndingStorm[]> {
  const { rows } = await sql<EndingStorm>`select a.storm_id, min(n.due_at) as since, (select count(*)::int from alerts m
      where m.organization_id = a.organization_id and m.storm_id = a.storm_id and m.state <> 'resolved') as open
    from alert_notices n join alerts a on a.organization_id = n.organization_id and a.id = n.alert_id
    where n.organization_id = ${organization_id}::uuid and n.rule_id = ${rule_id}::uuid and n.kind = 'ended' and a.storm_id is not null
    group by a.organization_id, a.storm_id`.execute(tx);
  return rows;
}

/** Take the notices about the end of a storm. @returns the last alert of each of its devices */
export async function takeEndedOf(tx: Tx, { organization_id }: Burst, stormId: string): Promise<ReportedAlert[]> {
  await sql`delete from alert_notices n using alerts a where n.organization_id = ${organization_id}::uuid and n.kind = 'ended'
    and a.organization_id = n.organization_id and a.id = n.alert_id and a.storm_id = ${stormId}::uuid`.execute(tx);
  return listStorm(tx, organization_id, stormId);
}

/** The last alert of each device of a storm. */
export async function listStorm(tx: Tx, organizationId: string, stormId: string): Promise<ReportedAlert[]> {
  const { rows } = await sql<ReportedAlert>`select ${reportedColumns} from alerts a ${withGroup}
    where a.organization_id = ${organizationId}::uuid and a.storm_id = ${stormId}::uuid order by a.fired_at, a.id`.execute(tx);
  // A device is in it twice when the rule was changed meanwhile.
  return [...new Map(rows.map((row) => [row.device_id, row])).values()];
}

/** Take the notices about the end of alerts that fired alone. @returns these alerts */
export async function takeEndedAlone(tx: Tx, { organization_id, rule_id }: Burst): Promise<ReportedAlert[]> {
  const { rows } = await sql<ReportedAlert>`with taken as (
      delete from alert_notices n using alerts a where n.organization_id = ${organization_id}::uuid and n.rule_id = ${rule_id}::uuid
        and n.kind = 'ended' and a.organization_id = n.organization_id and a.id = n.alert_id and a.storm_id is null returning n.alert_id
    )
    select ${reportedColumns} from taken t join alerts a on a.organization_id = ${organization_id}::uuid and a.id = t.alert_id ${withGroup}
    order by a.fired_at, a.id`.execute(tx);
  return rows;
}

/** An alert in a message. */
export interface ReportedAlert extends Row<
  'alerts',
  | 'id'
  | 'device_id'
  | 'serial'
  | 'vehicle_number'
  | 'carrier'
  | 'latitude'
  | 'longitude'
  | 'place'
  | 'kind'
  | 'value'
  | 'reading'
  | 'geofence'
  | 'since'
  | 'fired_at'
  | 'state'
  | 'resolved_at'
  | 'resolution'
  | 'acknowledged_by'
  | 'storm_id'
> {
  readonly group_name: string;
}

const reportedColumns = sql`a.id, a.device_id, a.serial, a.vehicle_number, coalesce(g.name, a.group_key) as group_name, a.carrier, a.latitude,
  a.longitude, a.place, a.kind, a.value, a.reading, a.geofence, a.since, a.fired_at, a.state, a.resolved_at,
  a.resolution, a.acknowledged_by, a.storm_id`;
const withGroup = sql`left join groups g on g.organization_id = a.organization_id and g.key = a.group_key`;

/** Whether the message that the alert of notice `n` fired is still to be written. */
export const isFiredUnwritten = sql<boolean>`exists (select from alert_notices f
  where f.organization_id = n.organization_id and f.alert_id = n.alert_id and f.kind = 'fired')`;

/** Take the due notices of a rule. @returns their alerts; of escalated ones those that no one has acknowledged */
export async function takeNotices(tx: Tx, { organization_id, rule_id, kind }: Burst, now: Date): Promise<ReportedAlert[]> {
  const { rows } = await sql<ReportedAlert>`with taken as (
      delete from alert_notices n where n.organization_id = ${organization_id}::uuid and n.rule_id = ${rule_id}::uuid and n.kind = ${kind}
        and n.due_at <= ${now}::timestamptz and (n.kind <> 'escalated' or not ${isFiredUnwritten}) returning n.alert_id
    )
    select ${reportedColumns}
    from taken t join alerts a on a.organization_id = ${organization_id}::uuid and a.id = t.alert_id ${withGroup}
    where ${kind} = 'fired' or a.state = 'firing' order by a.fired_at, a.id`.execute(tx);
  return rows;
}

/** Others are informed if no one acknowledges these alerts within so many minutes from now, when the first people are. */
export async function delayEscalated(
  tx: Tx,
  { organization_id }: Burst,
  reported: readonly ReportedAlert[],
  minutes: number,
  now: Date,
): Promise<void> {
  await sql`update alert_notices set due_at = ${new Date(now.getTime() + minutes * 60_000)}::timestamptz
    where organization_id = ${organization_id}::uuid and kind = 'escalated' and alert_id = any (${reported.map(({ id }) => id)}::uuid[])`.execute(
    tx,
  );
}

/** What a message says of its rule; undefined = it was deleted, and the message would not be about an end. */
export async function readChannels(
  tx: Tx,
  { organization_id, rule_id, kind }: Burst,
): Promise<
  | {
      readonly main_account_id: string;
      readonly name: string;
      readonly severity: alerts.Severity;
      readonly channels: alerts.Channels;
      /** The address of the first admin, if the rule informs that person. */
      readonly first_admin: string | null;
    }
  | undefined
> {
  const { rows } = await sql<
    Row<'alert_rules', 'main_account_id' | 'name' | 'severity' | 'channels'> & { first_admin: string | null }
  >`
    select r.main_account_id, r.name, r.severity, r.channels,
      case when (r.channels ->> 'firstAdmin')::boolean then ${firstAdmin} end as first_admin
    from ${rules} where r.organization_id = ${organization_id}::uuid and r.id = ${rule_id}::uuid
      and (not r.is_deleted or ${kind} = 'ended')`.execute(tx);
  return rows[0];
}

/** The webhooks of rules, and those of these alerts that were reported to them already. */
export async function listReported(
  tx: Tx,
  { organizationId }: OrganizationScope,
  ids: readonly string[],
): Promise<{ readonly webhooks: string[]; readonly reported: string[] }[]> {
  const { rows } = await sql<{ webhooks: string[]; reported: string[] }>`
    select array(select jsonb_array_elements_text(coalesce(r.channels -> 'webhooks', '[]'))
        union select jsonb_array_elements_text(coalesce(r.channels -> 'escalation' -> 'webhooks', '[]'))) as webhooks,
      array_agg(a.id) as reported
    from alerts a join ${rules} on r.organization_id = a.organization_id and r.id = a.rule_id
    where a.organization_id = ${organizationId}::uuid and a.id = any (${[...ids]}::uuid[])
      and not exists (select from alert_notices n where n.organization_id = a.organization_id and n.alert_id = a.id and n.kind = 'fired')
    group by r.id, r.channels`.execute(tx);
  return rows.filter(({ webhooks }) => webhooks.length > 0);
}

/** Group alerts that fired together. */
export async function joinStorm(
  tx: Tx,
  { organization_id }: Burst,
  stormId: string,
  reported: readonly ReportedAlert[],
): Promise<void> {
  await sql`update alerts set storm_id = ${stormId}::uuid where organization_id = ${organization_id}::uuid
    and id = any (${reported.map(({ id }) => id)}::uuid[])`.execute(tx);
}
