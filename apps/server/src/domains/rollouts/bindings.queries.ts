// Reads tables of other domains: groups, organizations.
import { DEFAULT_GROUP_KEY, normalizeGroupKey, type rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allOf, defineList, natural, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';

interface BoundRow {
  readonly kind: rollouts.BindingKind;
  readonly profile: string;
  readonly label: string;
  readonly number: number | null;
  readonly schedule: rollouts.Schedule;
  /** Epoch seconds. */
  readonly postpone: number | null;
  readonly state: 'running' | 'paused' | 'cancelled';
  readonly success: number;
  readonly failed: number;
  readonly rolledBack: number;
  readonly unsupported: number;
  readonly busy: number;
}

interface BoundGroupRow {
  readonly organization_id: string;
  readonly key: string;
  readonly bound: readonly BoundRow[] | null;
}

type BoundGroup = rollouts.GroupBind & { readonly group: string; readonly org: string };

type BindingQuery = z.output<typeof rollouts.listBindings.query>;

/** The groups of a scope with what is bound to each, the default group first. */
export const bindingList = defineList({
  of(scope: Scope, { group }: BindingQuery) {
    const where = groupsOf(scope, group === undefined ? undefined : normalizeGroupKey(group));
    return {
      rows: (part: Fragment) => select(where, part),
      count: sql`select count(*)::int as total from groups g where ${where}`,
    };
  },
  toDto: boundGroup,
});

/** The bindings of one group of the scope, or undefined. */
export async function findBindings(reader: Reader, scope: Scope, group: string): Promise<BoundGroup | undefined> {
  const row = await bindingList.first(reader, scope, { group });
  return row && boundGroup(row);
}

function groupsOf(scope: Scope, group: string | undefined): Fragment {
  const mine =
    scope.kind === 'organization'
      ? sql`g.organization_id = ${scope.organizationId}::uuid`
      : sql`g.organization_id in (
          select o.id from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null)`;
  return allOf([mine, ...(group === undefined ? [] : [sql`g.key = ${group}`])]);
}

function select(where: Fragment, page: Fragment): Fragment {
  return sql`select g.organization_id, g.key, bound.bound from (
      select g.organization_id, g.key, g.name from groups g where ${where}
      order by (g.key = ${DEFAULT_GROUP_KEY}) desc, ${natural(sql`g.name`)}, g.organization_id, g.key ${page}
    ) g left join lateral (
      select json_agg(json_build_object(
        'kind', b.kind, 'profile', coalesce(b.firmware_id, b.config_id), 'label', b.label, 'number', b.config_number,
        'schedule', b.schedule, 'postpone', floor(extract(epoch from b.postpone_until)), 'state', b.state,
        'success', counts.success, 'failed', counts.failed, 'rolledBack', counts.rolled_back, 'unsupported', counts.unsupported,
        'busy', counts.busy)) as bound
      from bindings b cross join lateral (
        select (count(*) filter (where t.state = 'successful'))::int as success, (count(*) filter (where t.state = 'failed'))::int as failed,
          (count(*) filter (where t.state = 'rolled-back'))::int as rolled_back,
          (count(*) filter (where t.state = 'unsupported'))::int as unsupported,
          (count(*) filter (where t.state in ('downloading', 'verifying', 'applying', 'rebooting')))::int as busy
        from rollout_targets t where t.binding_id = b.id
      ) counts
      where b.organization_id = g.organization_id and b.group_key = g.key and b.ended_at is null and b.kind <> 'settings'
    ) bound on true
    order by (g.key = ${DEFAULT_GROUP_KEY}) desc, ${natural(sql`g.name`)}, g.organization_id, g.key`;
}

function boundGroup({ organization_id: org, key, bound }: BoundGroupRow): BoundGroup {
  const of = (kind: rollouts.BindingKind) => (bound ?? []).filter((row) => row.kind === kind).map(entryOf);
  const status = (bound ?? []).map(({ kind, profile, success, failed, rolledBack, unsupported, busy }) => {
    const fail = failed + rolledBack + unsupported;
    return { group: key, file: profile, success, fail, kind, failed, rolledBack, unsupported, busy };
  });
  return { group: key, org, firmware: of('firmware'), config: of('config'), status };
}

function entryOf({ profile, schedule, postpone, label, number, state }: BoundRow): rollouts.GroupBind['firmware'][number] {
  return { profile, otaSchedule: schedule, postpone, name: label, version: number, state };
}
