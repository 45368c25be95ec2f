// Reads tables of other domains: devices, telemetry_reports.
import type { PoolClient } from 'pg';
import type { Changes, Place, RuleRow } from './reading-rules.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** How far a process has read `alert_changes`: everything that this snapshot of the database shows. */
export interface ReadSnapshot {
  /** First transaction that had not begun to write. */
  readonly end: string;
  /** Transactions before it that were still running. */
  readonly running: readonly string[];
  /** The transaction that took it: knows what it changed itself. */
  readonly own: string;
}

/** What changed since a snapshot. */
export interface KnownChanges {
  readonly snapshot: ReadSnapshot;
  readonly organizations: readonly string[];
  readonly routers: readonly string[];
  /** There is more than is worth reading. */
  readonly isTooMuch: boolean;
}

/** A router with its place and what holds on it. */
export interface RouterRow extends Place {
  readonly id: string;
  readonly holding: readonly string[];
}

/** Changes of so many transactions are read; after more, a process reads again what it needs. */
const MOST_CHANGES = 1_000;

const CHANGES = `with s as materialized (select pg_current_snapshot() as snapshot)
  select pg_current_xact_id()::text as own, pg_snapshot_xmax(s.snapshot)::text as "end",
    array(select pg_snapshot_xip(s.snapshot))::text[] as running, c.xid::text, c.organization_id, c.router_ids
  from s left join lateral (
    (select * from alert_changes where xid = any ($2::xid8[]) limit ${MOST_CHANGES})
    union all
    (select * from alert_changes where xid >= $1::xid8 limit ${MOST_CHANGES})
  ) c on true`;
const ROUTERS = `select c.id, d.organization_id as "organizationId", d.group_key as "groupKey", coalesce(d.tags, '{}') as tags,
    array(select s.rule_id from alert_states s where s.router_id = c.id and s.device_id = d.id and s.kind = 'reading'
      and s.cleared_at is null) as holding
  from unnest($1::uuid[]) c (id) left join devices d on d.router_id = c.id and d.archived_at is null`;
const NEWEST = `select c.id, t.at from unnest($1::uuid[]) c (id), lateral (
    select t.at from telemetry_reports t where t.router_id = c.id and t.at > $2::timestamptz and t.xmin <> pg_current_xact_id()::xid
    order by t.at desc limit 1) t`;
const RULES = `select organization_id, id, revision, condition, scope_kind, scope_key from alert_rules
  where organization_id = any ($1::uuid[]) and kind = 'reading' and is_enabled order by id`;
/**
 * Both in one statement: a condition begins or ends, not both. Place and rule are checked again. A state of a former router of the device is not
 * that of its present one: `endOutdated` ends it, and then the condition may begin.
 */
const NOTE_CHANGES = `with ended as (
    update alert_states s set cleared_at = $8::timestamptz
    from (select s.organization_id, s.rule_id, s.device_id
      from unnest($6::uuid[], $7::uuid[]) as c (rule_id, router_id) join devices d on d.router_id = c.router_id and d.archived_at is null
        join alert_states s on s.router_id = c.router_id and s.rule_id = c.rule_id and s.device_id = d.id
      where s.cleared_at is null order by 1, 2, 3 for update of s) k
    where s.organization_id = k.organization_id and s.rule_id = k.rule_id and s.device_id = k.device_id
  )
  insert into alert_states as s (organization_id, rule_id, device_id, router_id, kind, revision, since, due_at, value)
  select r.organization_id, r.id, d.id, d.router_id, r.kind, r.revision, c.since, c.since + make_interval(secs => r.for_seconds), c.value
  from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::timestamptz[], $5::float8[]) as c (rule_id, revision, router_id, since, value)
    join devices d on d.router_id = c.router_id and d.archived_at is null
    join alert_rules r on r.organization_id = d.organization_id and r.id = c.rule_id and r.revision = c.revision and r.is_enabled
  where (r.scope_kind in ('all', 'view') or r.scope_kind = 'group' and d.group_key = r.scope_key
    or r.scope_kind = 'tag' and d.tags @> array[r.scope_key])
  order by 1, 2, 3
  on conflict (organization_id, rule_id, device_id) do update set cleared_at = null,
    since = case when s.alert_id is null then excluded.since else s.since end,
    due_at = case when s.alert_id is null then excluded.due_at else s.due_at end, value = excluded.value
  where s.cleared_at is not null and s.resolution = 'cleared' and s.revision = excluded.revision and s.router_id = excluded.router_id
  returning s.router_id, s.rule_id`;

/** What changed since a snapshot; nothing if there was none. The one statement of a batch that changes nothing. */
export async function readChanges(client: PoolClient, since: ReadSnapshot | undefined): Promise<KnownChanges> {
  const { rows } = await client.query<{
    own: string;
    end: string;
    running: string[];
    xid: string | null;
    organization_id: string | null;
    router_ids: string[] | null;
  }>({ name: 'alert-changes', text: CHANGES, values: [since?.end ?? null, since?.running ?? []] });
  const { own, end, running } = rows[0]!;
  const changes = rows.filter((row) => row.xid !== since?.own);
  return {
    snapshot: { own, end, running },
    organizations: changes.flatMap((row) => row.organization_id ?? []),
    routers: changes.flatMap((row) => row.router_ids ?? []),
    isTooMuch: rows.length >= MOST_CHANGES,
  };
}

/** Places of routers, and the rules whose conditions hold on them. */
export async function readRouters(client: PoolClient, routers: readonly string[]): Promise<RouterRow[]> {
  return (await client.query<RouterRow>({ name: 'alert-routers', text: ROUTERS, values: [routers] })).rows;
}

/** When routers measured what was stored last, not counting this transaction. @param since no longer ago, epoch milliseconds */
export async function readNewest(
  client: PoolClient,
  routers: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<Row<'telemetry_reports', 'at'> & { id: string }>(NEWEST, [routers, new Date(since)]);
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}

/** The enabled rules of readings of these organizations. */
export async function readRules(client: PoolClient, organizations: readonly string[]): Promise<RuleRow[]> {
  return (await client.query<RuleRow>(RULES, [organizations])).rows;
}

/** Note conditions that begin to hold, and that have ended. @returns those that were noted as begun */
export async function noteChanges(
  client: PoolClient,
  { begun, ended }: Pick<Changes, 'begun' | 'ended'>,
  now: Date,
): Promise<{ readonly router_id: string; readonly rule_id: string }[]> {
  const values = [
    begun.map(({ rule }) => rule.id),
    begun.map(({ rule }) => rule.revision),
    begun.map(({ router }) => router),
    begun.map(({ since }) => new Date(since)),
    begun.map(({ value }) => value),
    ended.map(({ rule }) => rule.id),
    ended.map(({ router }) => router),
    now,
  ];
  const { rows } = await client.query<Row<'alert_states', 'router_id' | 'rule_id'>>({
    name: 'alert-states',
    text: NOTE_CHANGES,
    values,
  });
  return rows;
}
