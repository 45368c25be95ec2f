// Reads tables of other domains: bindings, device_counts, devices, rollout_targets.
import { DEFAULT_GROUP_KEY, groups, normalizeGroupKey, type rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import { allOf, defineList, natural, sorted, wholeList, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { toGroupDto, type GroupRow } from './group.dto.ts';
import { groupConditions, groupsOf, type GroupFilters } from './groups.filters.ts';

/**
 * The groups of a scope, the default group first unless a sort is given (GRP-01, GRP-05). Devices and routers are counted only for
 * the groups of a page.
 */
export const groupList = (now: Date) =>
  defineList({
    of(scope: Scope, query: GroupFilters) {
      const { places, count, prepared } = placedGroups(scope, query, now);
      return {
        rows: (part: Fragment) =>
          part === wholeList
            ? shownGroups(places, { serials: false, ...numberedIn(scope) })
            : shownGroups(sql`select * from (${places}) listed order by place ${part}`, {
                serials: query.devices === 'true',
                // Counting for each group of a page reads those before it as often; of a main account they are of many organizations.
                ...(scope.kind === 'organization' ? numberedIn(scope) : { number }),
              }),
        count,
        placeOf: (key: string) => placeOf(places, key),
        prepared,
      };
    },
    toDto: toGroupDto,
  });

/** A group as its own page shows it. */
export interface NumberedGroupRow extends GroupRow {
  readonly number: number;
  /** Reported by its routers. */
  readonly models: string[];
}

/** One group with its number and models, or undefined. */
export async function findGroupRow(reader: Reader, scope: OrganizationScope, key: string): Promise<NumberedGroupRow | undefined> {
  if (key.includes('\0')) return undefined;
  const place = sql`select ${scope.organizationId}::uuid as organization_id, ${normalizeGroupKey(key)} as key, 1 as place`;
  const [row] = await reader.rows<NumberedGroupRow>(shownGroups(place, { serials: false, number, models }), true);
  return row;
}

/** The default group is number 1, the others are numbered in the order of their creation: their keys increase with time. */
const number = sql`case when g.key = ${DEFAULT_GROUP_KEY} then 1 else 2 + (
    select count(*) from groups n where n.organization_id = g.organization_id and n.key < g.key and n.key <> ${DEFAULT_GROUP_KEY}
  ) end::int`;

/** The same numbers for many groups: counting for each of them would read each as often as there are groups. */
export const numberedIn = (scope: Scope) => ({
  number: sql`numbered.number`,
  numbers: sql`join (
      select g.organization_id, g.key,
        (row_number() over (partition by g.organization_id order by g.key <> ${DEFAULT_GROUP_KEY}, g.key))::int as number
      from groups g where ${groupsOf(scope)}
    ) numbered on numbered.organization_id = g.organization_id and numbered.key = g.key`,
});

interface PlacedGroups {
  /** Every listed group as `organization_id`, `key` and its `place`, from 1. */
  readonly places: Fragment;
  readonly count: Fragment;
  /** False: planning would take as long as running the statement. */
  readonly prepared: boolean;
}

export function placedGroups(scope: Scope, query: GroupFilters, now: Date): PlacedGroups {
  const { conditions: filters, readsBindings } = groupConditions(query, now);
  const conditions = query.rollout === undefined ? filters : [...filters, rolloutIs[query.rollout]];
  const where = allOf([groupsOf(scope), ...conditions]);
  const { value, descending } = sorted(query.sort ?? 'name', orders);
  const { key, joins } = value;
  const direction = descending ? sql`desc` : sql`asc`;
  const first = query.sort === undefined ? sql`(g.key = ${DEFAULT_GROUP_KEY}) desc, ` : sql``;
  const order = sql`${first}${key} ${direction} nulls last, ${natural(sql`g.name`)}, g.organization_id, g.key`;
  const bindings = readsBindings || joins === 'bindings' ? bindingJoins : sql``;
  const counts = joins === 'counts' ? countJoins(scope) : sql``;
  return {
    places: sql`select g.organization_id, g.key, row_number() over (order by ${order}) as place
      from groups g ${bindings} ${counts} where ${where}`,
    count: sql`select count(*)::int as total from groups g ${readsBindings ? bindingJoins : sql``} where ${where}`,
    prepared: conditions.length === 0,
  };
}

/** A rollout that needs attention (ATT-01); a cancelled one was given up by a user. */
const rolloutIs: Record<(typeof groups.rolloutFilters)[number], Fragment> = {
  failed: sql`exists (select 1 from bindings b where ${ofThisGroup()} and b.state <> 'cancelled' and exists (
    select 1 from rollout_targets t where t.binding_id = b.id and t.state in ('failed', 'rolled-back')))`,
  paused: sql`exists (select 1 from bindings b where ${ofThisGroup()} and b.state = 'paused')`,
};

function ofThisGroup(): Fragment {
  return sql`b.organization_id = g.organization_id and b.group_key = g.key and b.ended_at is null`;
}

const orders: Record<(typeof groups.groupSorts)[number], { readonly key: Fragment; readonly joins?: 'bindings' | 'counts' }> = {
  name: { key: natural(sql`g.name`) },
  description: { key: natural(sql`g.description`) },
  created: { key: sql`g.created_at` },
  devices: { key: sql`coalesce(n.devices, 0)`, joins: 'counts' },
  firmware: { key: sql`f.label`, joins: 'bindings' },
  config: { key: sql`c.label`, joins: 'bindings' },
  schedule: { key: sql`coalesce(f.schedule, c.schedule, 'immediate')`, joins: 'bindings' },
  postpone: { key: sql`case when f.id is null then c.postpone_until else f.postpone_until end`, joins: 'bindings' },
};

const isActiveBinding = (alias: string, kind: string): Fragment => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`${of('organization_id')} = g.organization_id and ${of('group_key')} = g.key and ${of('kind')} = ${sql.lit(kind)}
    and ${of('ended_at')} is null`;
};

const bindingJoins = sql`left join bindings f on ${isActiveBinding('f', 'firmware')} left join bindings c on ${isActiveBinding('c', 'config')}`;

/** All groups counted: only the sort by number of devices needs it. */
function countJoins(scope: Scope): Fragment {
  return sql`left join (
      select c.organization_id, c.group_key, sum(c.devices) as devices from device_counts c
      where c.organization_id in (select g.organization_id from groups g where ${groupsOf(scope)} and g.key = ${DEFAULT_GROUP_KEY})
      group by 1, 2
    ) n on n.organization_id = g.organization_id and n.group_key = g.key`;
}

/** Selects the position of a group by its key; null when it is not in the list. */
function placeOf(places: Fragment, key: string): Fragment | undefined {
  if (key.includes('\0')) return undefined;
  return sql`select min(place)::int as place from (${places}) listed where key = ${normalizeGroupKey(key)}`;
}

/** The columns for the screen of the groups at these positions, in their order. */
export function shownGroups(
  places: Fragment,
  also: { readonly serials: boolean; readonly number?: Fragment; readonly numbers?: Fragment; readonly models?: Fragment },
): Fragment {
  const serials = also.serials
    ? sql`, array(select d.serial from devices d where ${ofGroup} order by d.serial) as serials`
    : sql``;
  return sql`select g.organization_id, g.key, g.name, g.description, g.tags, g.report_seconds, g.version, g.created_at, members.device_count,
      f.bound as firmware, c.bound as config, ${unfinished}::int as unfinished, listed.place
      ${also.number === undefined ? sql`` : sql`, ${also.number} as number`}
      ${also.models === undefined ? sql`` : sql`, ${also.models} as models`} ${serials}
    from (${places}) listed
    join groups g on g.organization_id = listed.organization_id and g.key = listed.key ${also.numbers ?? sql``}
    cross join lateral (${deviceCount}) members
    left join lateral (${boundFile('firmware')}) f on true
    left join lateral (${boundFile('config')}) c on true
    order by listed.place`;
}

export const ofGroup = sql`d.organization_id = g.organization_id and d.group_key = g.key and d.archived_at is null`;
const deviceCount = sql`select coalesce(sum(c.devices), 0)::int as device_count from device_counts c
  where c.organization_id = g.organization_id and c.group_key = g.key`;
const models = sql`array(select distinct d.model from devices d where ${ofGroup} and d.model is not null order by 1)`;

const open = (binding: Fragment): Fragment => sql`t.binding_id = ${binding} and t.state <> 'successful'`;

const inState = (...states: readonly rollouts.TargetState[]): Fragment =>
  sql`(count(*) filter (where t.state in (${sql.join(states.map((state) => sql.lit(state)))})))::int`;

function boundFile(kind: 'firmware' | 'config'): Fragment {
  const profile = kind === 'firmware' ? sql`b.firmware_id` : sql`b.config_id`;
  return sql`select b.id, targets.open, json_build_object(
        'id', b.id, 'profile', ${profile}, 'label', b.label, 'number', b.config_number, 'schedule', b.schedule,
        'postpone', floor(extract(epoch from b.postpone_until)), 'state', b.state, 'open', targets.open, 'failed', targets.failed, 'rolledBack', targets.rolled_back,
        'unsupported', targets.unsupported, 'busy', targets.busy
      ) as bound
    from bindings b cross join lateral (
      select count(*)::int as open, ${inState('failed')} as failed, ${inState('rolled-back')} as rolled_back,
        ${inState('unsupported')} as unsupported, ${inState('downloading', 'verifying', 'applying', 'rebooting')} as busy
      from rollout_targets t where ${open(sql`b.id`)}
    ) targets
    where ${isActiveBinding('b', kind)}`;
}

/**
 * If one of the two files has no open targets, the other's count is the response; otherwise a router may lack both and counts once.
 */
const unfinished = sql`case when coalesce(f.open, 0) = 0 or coalesce(c.open, 0) = 0 then coalesce(f.open, 0) + coalesce(c.open, 0)
  else (select count(*) from (
    select t.device_id from rollout_targets t where ${open(sql`f.id`)}
    union select t.device_id from rollout_targets t where ${open(sql`c.id`)}) lacking) end`;
