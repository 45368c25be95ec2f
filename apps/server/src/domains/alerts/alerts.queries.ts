// Reads tables of other domains: devices, geofences, groups, organizations, saved_views, webhook_endpoints.
import { alerts, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import {
  defineList,
  natural,
  onlyOf,
  searchable,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type SearchFields,
  type SortKey,
} from '../../platform/listing/index.ts';
import { toAlertDto, type AlertRow, type RuleRow } from './alert.dto.ts';
import { firstAdmin, isReached } from './alert-people.queries.ts';

const OPEN = sql`a.state <> 'resolved'`;

/** What a rule names no longer exists, or is a view that is shared no longer. */
const missing = sql`(r.scope_kind = 'group' and not exists (select from groups g
      where g.organization_id = r.organization_id and g.key = r.scope_key)
    or r.condition ->> 'geofence' is not null and not exists (select from geofences g
      where g.organization_id = r.organization_id and g.id = (r.condition ->> 'geofence')::uuid)
    or r.scope_kind = 'tag' and not exists (select from devices d where d.organization_id = r.organization_id and d.archived_at is null
      and d.tags <> '{}' and d.tags @> array[r.scope_key])
    or r.scope_kind = 'view' and not exists (select from saved_views v where v.organization_id = r.organization_id
      and v.id::text = r.scope_key and v.is_shared and v.list = 'devices'))`;

/** Webhooks that a rule names or calls and that do not work: their calls fail, or they are suspended, off or deleted. */
const failingChannels = sql`(select count(*)::int from (select jsonb_array_elements_text(coalesce(r.channels -> 'webhooks', '[]'))
    union select jsonb_array_elements_text(coalesce(r.channels -> 'escalation' -> 'webhooks', '[]'))
    union select r.action -> 'does' ->> 'webhook' where r.action -> 'does' ->> 'kind' = 'webhook') as n (id)
  where not exists (select from webhook_endpoints e where e.id = n.id::uuid and e.is_enabled and e.failing_since is null
    and e.suspended_at is null))`;

/** Addresses of a rule that are named in a list. */
const MOST_INFORMED = 20;

/** Addresses that alerts of rule `r` are sent to when they fire. */
const informedOf = (scope: OrganizationScope) => sql`(select jsonb_array_elements_text(r.channels -> 'mails') as mail
    union select ${firstAdmin} where (r.channels ->> 'firstAdmin')::boolean
    union select p.mail from alert_people p where p.organization_id = r.organization_id
      and r.severity = any (p.severities) and ${isReached(scope)})`;

/** The rules of an organization, by name, or one of them. */
export function readRules(reader: Reader, scope: OrganizationScope, id?: string): Promise<RuleRow[]> {
  const informed = informedOf(scope);
  const one = id === undefined ? sql`` : sql`and r.id = ${id}::uuid`;
  return reader.rows<RuleRow>(sql`select r.id, r.name, r.is_enabled, r.severity, r.kind, r.condition, r.for_seconds, r.scope_kind, r.scope_key,
      r.hours, r.channels, r.version, r.action, r.action_actor, ${missing} as missing,
      (select count(i.mail)::int from ${informed} i) as informed_count,
      array(select i.mail from ${informed} i where i.mail is not null order by i.mail limit ${MOST_INFORMED}) as informed, (select count(*)::int from alerts a
        where a.organization_id = r.organization_id and a.rule_id = r.id and ${OPEN}) as open, ${failingChannels} as failing_channels
    from alert_rules r where r.organization_id = ${scope.organizationId}::uuid ${one} order by ${natural(sql`r.name`)}, r.id`);
}

/** The alerts of a scope, as a condition on `alerts a`. */
export function alertsOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`a.organization_id = ${scope.organizationId}::uuid`
    : sql`a.main_account_id = ${scope.mainAccountId}::uuid`;
}

type ListQuery = alerts.AlertQuery & { readonly only?: string | undefined };

const table = sql`alerts a`;
const fired: readonly SortKey[] = [
  { column: sql.ref('a.fired_at'), kind: 'instant' },
  { column: sql.ref('a.id'), kind: 'uuid' },
];
/** As the indexes of migration 0010 have it. */
const bySeverity: readonly SortKey[] = [
  { column: sql`(case a.severity when 'critical' then 3 when 'warning' then 2 else 1 end)`, kind: 'number' },
  ...fired,
];
const fields: SearchFields<alerts.AlertQuery['field']> = {
  serial: sql`a.serial`,
  vehicle: sql`a.vehicle_number`,
  rule: sql`a.rule_name`,
};

/** Without rare filters: the statements of the inbox itself repeat, and for someone who is limited planning them costs the most. */
const isInbox = ({ state = 'all', search, severity, kind, rule, device, group, storm, only }: ListQuery): boolean =>
  (state === 'all' || state === 'open') &&
  [search, severity, kind, rule, device, group, storm, only].every((filter) => filter === undefined);

/** Alerts, the newest first (ALR-03). */
export const alertList = defineList({
  of(scope: Scope, query: ListQuery) {
    const { value: keys, descending } = sorted(query.sort ?? '-fired', { fired, severity: bySeverity });
    const search = searchOf(query, fields);
    return {
      name: 'alerts',
      table,
      alias: 'a',
      identity: ['organization_id', 'id'],
      ownKey: 'id',
      scope: alertsOf(scope),
      filters: [...filtersOf(query), ...onlyFilter(query.only), ...search],
      estimatable: search.length === 0,
      columns: sql`a.*, o.name as org_name, coalesce(g.name, a.group_key) as group_name,
        case when a.storm_id is null then null else ${stormOf(query)} end as storm`,
      joins: sql`join organizations o on o.id = a.organization_id
        left join groups g on g.organization_id = a.organization_id and g.key = a.group_key`,
      segments: [{ from: table, keys, descending }],
      prepared: isInbox(query),
    };
  },
  toDto: (row: AlertRow) => toAlertDto(row),
});

/** The rows that are named: alerts, or storms as lines of the inbox. */
const onlyFilter = (only: string | undefined): Fragment[] =>
  only === undefined
    ? []
    : [sql`(${sql.join([...onlyOf(only, sql`a.id`, 'uuid'), ...onlyOf(only, sql`a.storm_id`, 'uuid')], sql` or `)})`];

/** What the storm of `alerts a` consists of. Its members are read once: for someone who is limited each table is a view that has to be planned. */
const stormOf = (query: alerts.AlertQuery): Fragment => sql`(with m as materialized (
    select m.state, ${stateIs('m', query)} as is_listed, coalesce(m.carrier, '') as carrier, coalesce(n.name, m.group_key) as group_name,
      coalesce(m.place, '') as place
    from alerts m left join groups n on n.organization_id = m.organization_id and n.key = m.group_key
    where m.organization_id = a.organization_id and m.storm_id = a.storm_id)
  select jsonb_build_object('id', a.storm_id, 'count', count(*) filter (where m.is_listed),
    'state', case when bool_or(m.is_listed and m.state = 'firing') then 'firing'
      when bool_or(m.is_listed and m.state = 'acknowledged') then 'acknowledged' else 'resolved' end,
    'open', count(*) filter (where m.state <> 'resolved'), 'firing', count(*) filter (where m.state = 'firing'), 'carriers', ${countedOfStorm('carrier')},
    'groups', ${countedOfStorm('group_name')}, 'places', ${countedOfStorm('place')}) from m)`;

/** How many of them are of each name, the most first. */
const countedOfStorm = (
  name: 'carrier' | 'group_name' | 'place',
): Fragment => sql`(select coalesce(jsonb_agg(to_jsonb(k) order by k.count desc, ${natural(sql`k.name`)}), '[]')
  from (select ${sql.ref(`s.${name}`)} as name, count(*)::int as count from m s where s.is_listed group by 1 order by 2 desc, 1
    limit ${alerts.MOST_NAMED_OF_STORM}) k)`;

const stateIs = (alias: string, { state }: Pick<alerts.AlertQuery, 'state'>): Fragment => {
  const column = sql.ref(`${alias}.state`);
  if (state === undefined || state === 'all') return sql`true`;
  return state === 'open' ? sql`${column} <> 'resolved'` : sql`${column} = ${state}`;
};

/** Of the alerts of a storm the newest one in this state. */
const isFirstOfStorm = (query: alerts.AlertQuery): Fragment => sql`(a.storm_id is null or a.id = (select m.id from alerts m
  where m.organization_id = a.organization_id and m.storm_id = a.storm_id and ${stateIs('m', query)}
  order by m.fired_at desc, m.id desc limit 1))`;

function filtersOf(query: alerts.AlertQuery): Fragment[] {
  const { state, severity, kind, rule, device, group, grouped, storm } = query;
  return [
    ...(state === undefined ? [] : [stateIs('a', query)]),
    ...(grouped === undefined ? [] : [isFirstOfStorm(query)]),
    ...(storm === undefined ? [] : [idIs(sql`a.storm_id`, storm)]),
    ...(severity === undefined ? [] : [sql`a.severity = ${severity}`]),
    ...(kind === undefined ? [] : [sql`a.kind = ${kind}`]),
    ...(rule === undefined ? [] : [idIs(sql`a.rule_id`, rule)]),
    ...(device === undefined ? [] : [idIs(sql`a.device_id`, device)]),
    ...(group === undefined ? [] : [sql`a.group_key = ${normalizeGroupKey(searchable(group, 'group'))}`]),
  ];
}

const idIs = (column: Fragment, id: string): Fragment => (isId(id) ? sql`${column} = ${id}::uuid` : sql`false`);

/** How many rows of the inbox alerts are: those of a storm are one. */
const inboxRows = sql`distinct coalesce(a.storm_id, a.id)`;

/** Open alerts of a scope, as the inbox counts them. */
export async function countOpen(
  reader: Reader,
  scope: Scope,
): Promise<{ readonly firing: number; readonly critical: number; readonly acknowledged: number }> {
  const [row] = await reader.rows<{ firing: number; critical: number; acknowledged: number }>(
    sql`select (count(${inboxRows}) filter (where a.state = 'firing'))::int as firing,
      (count(${inboxRows}) filter (where a.state = 'firing' and a.severity = 'critical'))::int as critical,
      (count(${inboxRows}) filter (where a.state = 'acknowledged'))::int as acknowledged
    from alerts a where ${alertsOf(scope)} and ${OPEN}`,
    true,
  );
  return row!;
}
