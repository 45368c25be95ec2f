// Reads tables of other domains: bindings, device_counts, devices, rollout_targets.
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import { subscriptionIs, type SubscriptionDay } from '../subscriptions/index.ts';

/** Groups with such an active binding `b` of organization `o`. */
const groupsWith = (condition: Fragment) => sql`(count(distinct b.group_key) filter (where ${condition}))::int`;

/** Selects the figures of organizations (ATT-03): each is counted through its own indexes. Groups are counted as the lists' filters find them. */
export function countedFigures(ids: readonly string[], day: SubscriptionDay): Fragment {
  return sql`
    select o.id, c.devices, c.online, c.never, e.expiring, r.failed, r.paused from organizations o
    cross join lateral (
      select coalesce(sum(c.devices), 0)::int as devices, coalesce(sum(c.devices) filter (where c.presence = 'online'), 0)::int as online,
        coalesce(sum(c.devices) filter (where c.presence in ('never', 'parked', 'planned')), 0)::int as never
      from device_counts c where c.organization_id = o.id) c
    cross join lateral (
      select count(*)::int as expiring from devices d
      where d.organization_id = o.id and d.archived_at is null and ${subscriptionIs('expiring', day)}) e
    cross join lateral (
      select ${groupsWith(sql`b.state <> 'cancelled' and exists (
          select 1 from rollout_targets t where t.binding_id = b.id and t.state in ('failed', 'rolled-back'))`)} as failed,
        ${groupsWith(sql`b.state = 'paused'`)} as paused
      from bindings b where b.organization_id = o.id and b.ended_at is null) r
    where o.id = any(${[...ids]}::uuid[])`;
}
