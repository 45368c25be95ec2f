// Reads tables of other domains: devices, geofence_states, geofences.
import { sql } from 'kysely';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { intervalOfDevice, newestPosition } from '../devices/index.ts';
import { crossedGeofence, deviceKinds, inScope } from './kinds.job.queries.ts';

/** States written by one statement; more follow with the next. */
export const MOST_WRITTEN = 5_000;

export type DeviceKindName = keyof typeof deviceKinds;

const stateOf = sql`s.organization_id = r.organization_id and s.rule_id = r.id and s.device_id = d.id`;

/** What a conflict with an existing state means: one that has ended, and was not taken away for another reason, holds again. */
export const holdsAgain = sql`on conflict (organization_id, rule_id, device_id) do update set cleared_at = null,
    since = case when s.alert_id is null then excluded.since else s.since end,
    due_at = case when s.alert_id is null then excluded.due_at else s.due_at end, value = excluded.value
  where s.cleared_at is not null and s.resolution = 'cleared' and s.revision = excluded.revision`;

/**
 * Note on which devices a condition holds, and where it has ended (ALR-04).
 * @param deviceIds only these devices; all if left out
 */
export async function compareDevices(tx: Tx, kind: DeviceKindName, now: Date, deviceIds?: readonly string[]): Promise<void> {
  const { holds, ends, since, value } = deviceKinds[kind];
  const only = (column: string): Fragment =>
    deviceIds === undefined ? sql`true` : sql`${sql.ref(column)} = any (${[...deviceIds]}::uuid[])`;
  await sql`insert into alert_states as s (organization_id, rule_id, device_id, router_id, kind, revision, since, due_at, value)
    select r.organization_id, r.id, d.id, d.router_id, r.kind, r.revision, ${since(now)}, ${since(now)} + make_interval(secs => r.for_seconds),
      ${value?.(now) ?? sql`null::float8`}
    from alert_rules r join devices d on d.organization_id = r.organization_id
    where r.kind = ${kind} and r.is_enabled and d.archived_at is null and ${only('d.id')} and ${inScope} and ${holds(now)}
      and not exists (select from alert_states s where ${stateOf} and (s.cleared_at is null or s.resolution <> 'cleared'))
    order by r.organization_id, r.id, d.id limit ${MOST_WRITTEN} ${holdsAgain}`.execute(tx);
  await sql`update alert_states s set cleared_at = ${now}::timestamptz from alert_rules r, devices d
    where s.kind = ${kind} and s.cleared_at is null and ${only('s.device_id')} and ${stateOf} and d.archived_at is null
      and ${ends?.(now) ?? sql`not coalesce(${holds(now)}, false)`}`.execute(tx);
}

/** A reading of a router that the device had before: it says nothing about the present one. Other kinds are compared with the device. */
const isOfFormerRouter = sql`(s.kind = 'reading' and s.router_id <> d.router_id)`;

/** End states whose device or rule is no longer what it was: transferred, deleted, with another router, in another group, changed. */
export async function endOutdated(tx: Tx, now: Date): Promise<void> {
  await sql`with outdated as (
      select s.organization_id, s.rule_id, s.device_id, case
        when d.id is null or d.archived_at is not null then 'deleted'
        when d.organization_id <> s.organization_id then 'transferred'
        when r.id is null then 'rule-deleted'
        when not r.is_enabled or r.revision <> s.revision then 'rule-changed'
        when ${isOfFormerRouter} then 'router-replaced'
        else 'out-of-scope' end as resolution
      from alert_states s left join devices d on d.id = s.device_id
        left join alert_rules r on r.organization_id = s.organization_id and r.id = s.rule_id
      where s.cleared_at is null and (d.id is null or d.archived_at is not null or d.organization_id <> s.organization_id
        or r.id is null or not r.is_enabled or r.revision <> s.revision
        or ${isOfFormerRouter} or not ${inScope})
      limit ${MOST_WRITTEN}
    )
    update alert_states s set cleared_at = ${now}::timestamptz, resolution = o.resolution from outdated o
    where s.organization_id = o.organization_id and s.rule_id = o.rule_id and s.device_id = o.device_id`.execute(tx);
}

/** The devices of these routers of which some kind that is stored with positions holds. */
export async function watchedDevices(tx: Tx, routerIds: readonly string[], kinds: readonly DeviceKindName[]): Promise<string[]> {
  const { rows } = await sql<Row<'alert_states', 'device_id'>>`${plannedOnce}select distinct s.device_id from devices d
      join alert_states s on s.organization_id = d.organization_id and s.device_id = d.id
    where d.router_id = any (${[...routerIds]}::uuid[]) and d.archived_at is null and s.kind = any (${[...kinds]}::text[])
      and s.cleared_at is null`.execute(tx);
  return rows.map(({ device_id: id }) => id);
}

/** A state whose time is over, with its rule and its device. */
export interface DueState
  extends
    Row<'alert_states', 'organization_id' | 'rule_id' | 'kind' | 'device_id' | 'value' | 'since'>,
    Row<'alert_rules', 'main_account_id' | 'severity' | 'hours' | 'scope_kind' | 'scope_key'>,
    Row<'devices', 'serial' | 'vehicle_number' | 'group_key' | 'carrier' | 'presence'> {
  readonly rule_name: string;
  readonly reading: string | null;
  readonly geofence: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly place: string | null;
}

/** The geofence that `devices d` is inside of; of several the one that it entered last. */
const insideOf = sql`(select g.name from geofence_states i join geofences g on g.id = i.geofence_id and g.organization_id = d.organization_id
  where i.router_id = d.router_id and i.is_inside order by i.since desc limit 1)`;

/** The oldest due states, locked; those that another process has locked are left out. A position that is probably wrong is no place of an alert. */
export async function takeDue(tx: Tx, now: Date, most: number): Promise<DueState[]> {
  const { rows } =
    await sql<DueState>`select s.organization_id, r.main_account_id, s.rule_id, r.name as rule_name, r.severity, s.kind,
      r.condition ->> 'reading' as reading, r.hours, r.scope_kind, r.scope_key, s.device_id, d.serial, d.vehicle_number, d.group_key,
      d.carrier, d.presence, s.value, ${crossedGeofence} as geofence, s.since, l.latitude, l.longitude, ${insideOf} as place
    from alert_states s
      join alert_rules r on r.organization_id = s.organization_id and r.id = s.rule_id and r.is_enabled and r.revision = s.revision
      join devices d on d.organization_id = s.organization_id and d.id = s.device_id and d.archived_at is null
      left join lateral (select p.latitude, p.longitude from ${newestPosition} where ${intervalOfDevice} and not p.is_jump limit 1) l on true
    where s.alert_id is null and s.cleared_at is null and s.due_at <= ${now}::timestamptz and ${inScope}
      and not ${isOfFormerRouter}
    order by s.due_at limit ${most} for update of s skip locked`.execute(tx);
  return rows;
}

/** Whether there are states that have ended, and states whose time is over: most of the time there are none. */
export async function findWork(queries: Queries, now: Date): Promise<{ readonly isEnded: boolean; readonly isDue: boolean }> {
  const { rows } = await sql<{ isEnded: boolean; isDue: boolean }>`${plannedOnce}select
    exists (select from alert_states where cleared_at is not null) as "isEnded",
    exists (select from alert_states where alert_id is null and cleared_at is null and due_at <= ${now}::timestamptz) as "isDue"`.execute(
    queries,
  );
  return rows[0]!;
}

/** The kinds of conditions that some rule has, or that hold somewhere. */
export async function listKindsInUse(queries: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<Row<'alert_rules', 'kind'>>`${plannedOnce}select kind from alert_rules where is_enabled
    union select kind from alert_states where cleared_at is null`.execute(queries);
  return new Set(rows.map(({ kind }) => kind));
}

/** A view that rules of an organization watch. */
export type WatchedView = Row<'alert_rules', 'main_account_id' | 'organization_id'> & { readonly view: string };

/** Views of one page. */
export const MOST_VIEWS = 200;

/** The condition and the order of the page after a view. */
export const viewsAfter = (after: WatchedView | undefined): Fragment =>
  sql`r.scope_kind = 'view' and ${
    after === undefined ? sql`true` : sql`(r.organization_id, r.scope_key) > (${after.organization_id}::uuid, ${after.view})`
  } order by r.organization_id, r.scope_key limit ${MOST_VIEWS}`;

/** The next views that rules with due states watch. */
export async function listDueViews(queries: Queries, now: Date, after: WatchedView | undefined): Promise<WatchedView[]> {
  const { rows } = await sql<WatchedView>`select distinct r.main_account_id, r.organization_id, r.scope_key as view
    from alert_states s join alert_rules r on r.organization_id = s.organization_id and r.id = s.rule_id
    where s.alert_id is null and s.cleared_at is null and s.due_at <= ${now}::timestamptz and ${viewsAfter(after)}`.execute(
    queries,
  );
  return rows;
}

/** A rule and a device. */
export type StateKey = Pick<DueState, 'organization_id' | 'rule_id' | 'device_id'>;

const keysOf = (keys: readonly StateKey[]): Fragment =>
  sql`unnest(${keys.map((key) => key.organization_id)}::uuid[], ${keys.map((key) => key.rule_id)}::uuid[],
    ${keys.map((key) => key.device_id)}::uuid[])`;
export const isKey = sql`s.organization_id = k.organization_id and s.rule_id = k.rule_id and s.device_id = k.device_id`;

/** Look at locked states again at these times. */
export async function postpone(tx: Tx, states: readonly (StateKey & { readonly until: Date })[]): Promise<void> {
  if (states.length === 0) return;
  await sql`update alert_states s set due_at = k.until
    from unnest(${states.map((key) => key.organization_id)}::uuid[], ${states.map((key) => key.rule_id)}::uuid[],
      ${states.map((key) => key.device_id)}::uuid[], ${states.map(({ until }) => until.toISOString())}::timestamptz[])
      as k (organization_id, rule_id, device_id, until) where ${isKey}`.execute(tx);
}

/** Connect locked states with the open alerts of their rule and device. */
export async function linkAlerts(tx: Tx, keys: readonly StateKey[]): Promise<void> {
  await sql`update alert_states s set alert_id = a.id
    from ${keysOf(keys)} as k (organization_id, rule_id, device_id) join alerts a on a.organization_id = k.organization_id
      and a.rule_id = k.rule_id and a.device_id = k.device_id and a.state <> 'resolved'
    where ${isKey}`.execute(tx);
}

/** The devices with due states among those of a view. */
export async function listDueIn(reader: Reader, organizationId: string, devices: Fragment, now: Date): Promise<string[]> {
  const rows = await reader.rows<{ device_id: string }>(sql`select distinct s.device_id from alert_states s join devices d
      on d.organization_id = s.organization_id and d.id = s.device_id
    where s.organization_id = ${organizationId}::uuid and s.alert_id is null and s.due_at <= ${now}::timestamptz and ${devices}`);
  return rows.map(({ device_id: id }) => id);
}

/** One process compares at a time. @returns false while another one does */
export async function lockComparison(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext('alerts: compare')) as mine`.execute(
    tx,
  );
  return rows[0]!.mine;
}

/** Delete changes that every process has read; one that looked last before them reads all again (reading-alerts.ts). */
export async function purgeChanges(tx: Tx): Promise<void> {
  await sql`delete from alert_changes where at < now() - interval '1 hour'`.execute(tx);
}
