// Reads tables of other domains: bindings, devices, groups, organizations, rollout_targets, router_settings.
// Statements of a job, across organizations.
import { sql } from 'kysely';
import type { Queries } from '../../platform/ports/database.ts';
import { holdsRollouts } from '../approvals/index.ts';

/** A rollout of settings of which admins are to know that it does not end by itself. */
export interface WaitingRollout {
  readonly id: string;
  readonly organization_id: string;
  readonly main_account_id: string;
  /** Null = of the organization. */
  readonly group_key: string | null;
  /** Of the group or the organization. */
  readonly name: string;
  /** When other settings were saved. */
  readonly since: Date;
}

/** Rollouts with routers that wait because other settings were saved before a time, and that never had an alert. */
export async function listWaitingRollouts(queries: Queries, savedBefore: Date, limit: number): Promise<WaitingRollout[]> {
  const { rows } =
    await sql<WaitingRollout>`select b.id, b.organization_id, o.main_account_id, b.group_key, coalesce(g.name, o.name) as name,
      min(s.created_at) as since
    from bindings b join organizations o on o.id = b.organization_id and o.deleted_at is null
      join router_settings s on s.organization_id = b.organization_id and s.replaced_at is null
        and s.created_at > b.created_at and s.created_at < ${savedBefore}::timestamptz
      left join groups g on g.organization_id = b.organization_id and g.key = b.group_key
    where b.kind = 'settings' and b.ended_at is null and b.state = 'running'
      and not exists (select from alerts a where a.organization_id = b.organization_id and a.rule_id = b.id)
      and (s.device_id is null and exists (select from rollout_targets t
          join devices d on d.organization_id = t.organization_id and d.id = t.device_id
          where t.binding_id = b.id and t.state = 'waiting' and coalesce(s.group_key, '') in ('', d.group_key))
        or ${holdsRollouts(sql`b.organization_id`)} and exists (select from rollout_targets t
          where t.binding_id = b.id and t.state = 'waiting' and t.device_id = s.device_id))
    group by b.id, o.main_account_id, g.name, o.name order by b.id limit ${limit}`.execute(queries);
  return rows;
}

/** Of which rollout an alert is over. */
export type OverRollout = Pick<WaitingRollout, 'id' | 'organization_id' | 'main_account_id'>;

/** Rollouts with an open alert that have ended, were cancelled, or in which nothing waits any more. */
export async function listOverRollouts(queries: Queries, limit: number): Promise<OverRollout[]> {
  const { rows } = await sql<OverRollout>`select a.rule_id as id, a.organization_id, a.main_account_id from alerts a
    where a.kind = 'settings-waiting' and a.state <> 'resolved' and not exists (select from bindings b
      join rollout_targets t on t.binding_id = b.id and t.state = 'waiting'
      where b.id = a.rule_id and b.ended_at is null and b.state <> 'cancelled')
    order by a.rule_id limit ${limit}`.execute(queries);
  return rows;
}
