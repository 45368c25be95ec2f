// Reads tables of other domains: devices.
import { sql } from 'kysely';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { MOST_WRITTEN, type StateKey, type WatchedView, isKey, viewsAfter } from './alert-states.job.queries.ts';

/** A state that has ended, and its alert. */
export type EndedState = StateKey & Row<'alert_states', 'alert_id' | 'resolution'>;

/** Take away states that have ended; those that another process has locked are left out. */
export async function takeEnded(tx: Tx, most: number): Promise<EndedState[]> {
  const { rows } = await sql<EndedState>`delete from alert_states s using (
      select organization_id, rule_id, device_id from alert_states where cleared_at is not null
      order by cleared_at limit ${most} for update skip locked
    ) k where ${isKey} returning s.organization_id, s.rule_id, s.device_id, s.alert_id, s.resolution`.execute(tx);
  return rows;
}

/** The next views that rules with fired states watch. */
export async function listFiredViews(queries: Queries, after: WatchedView | undefined): Promise<WatchedView[]> {
  const { rows } =
    await sql<WatchedView>`select distinct r.main_account_id, r.organization_id, r.scope_key as view from alert_rules r
    where r.is_enabled and exists (select from alert_states s
      where s.organization_id = r.organization_id and s.rule_id = r.id and s.alert_id is not null and s.cleared_at is null)
      and ${viewsAfter(after)}`.execute(queries);
  return rows;
}

/** States that have fired, of the rules that watch this view. */
const firedOf = (organizationId: string, view: string): Fragment => sql`r.organization_id = ${organizationId}::uuid
  and r.scope_kind = 'view' and r.scope_key = ${view} and s.organization_id = r.organization_id and s.rule_id = r.id
  and s.alert_id is not null and s.cleared_at is null`;

/** The devices with fired states that are not among those of a view. @param devices undefined = it has none */
export async function listFiredOutside(
  reader: Reader,
  organizationId: string,
  view: string,
  devices: Fragment | undefined,
): Promise<string[]> {
  const rows = await reader.rows<{ device_id: string }>(sql`select distinct s.device_id from alert_rules r, alert_states s
    where ${firedOf(organizationId, view)} and not exists (select from devices d
      where d.organization_id = s.organization_id and d.id = s.device_id and ${devices ?? sql`false`}) limit ${MOST_WRITTEN}`);
  return rows.map(({ device_id: id }) => id);
}

/** End the fired states of devices that left a view. */
export async function endOutOfScope(
  tx: Tx,
  organizationId: string,
  view: string,
  deviceIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`update alert_states s set cleared_at = ${now}::timestamptz, resolution = 'out-of-scope' from alert_rules r
    where ${firedOf(organizationId, view)} and s.device_id = any (${[...deviceIds]}::uuid[])`.execute(tx);
}
