import { sql } from 'kysely';
import type { Actor, Scope } from '../../kernel/index.ts';
import type { Row, Tx } from '../../platform/ports/index.ts';
import { alertsOf } from './alerts.queries.ts';

export type LockedAlert = Row<
  'alerts',
  | 'id'
  | 'organization_id'
  | 'main_account_id'
  | 'device_id'
  | 'serial'
  | 'vehicle_number'
  | 'kind'
  | 'rule_name'
  | 'state'
  | 'severity'
  | 'value'
  | 'reading'
  | 'geofence'
  | 'carrier'
  | 'place'
  | 'storm_id'
>;

/** These alerts as far as the scope has them, and all alerts of these storms, locked. */
export async function lockAlerts(tx: Tx, scope: Scope, ids: readonly string[]): Promise<LockedAlert[]> {
  const { rows } =
    await sql<LockedAlert>`select a.id, a.organization_id, a.main_account_id, a.device_id, a.serial, a.vehicle_number, a.kind, a.rule_name, a.state, a.severity,
      a.value, a.reading, a.geofence, a.carrier, a.place, a.storm_id
    from alerts a where ${alertsOf(scope)} and (a.id = any (${[...ids]}::uuid[]) or a.storm_id = any (${[...ids]}::uuid[]))
    order by a.organization_id, a.id for no key update`.execute(tx);
  return rows;
}

/** Acknowledge locked alerts. */
export async function acknowledgeLocked(
  tx: Tx,
  { email }: Pick<Actor, 'email'>,
  locked: readonly LockedAlert[],
  note: string,
  now: Date,
): Promise<void> {
  await sql`update alerts a set state = 'acknowledged', acknowledged_at = ${now}::timestamptz, acknowledged_by = ${email}, note = ${note}
    from unnest(${locked.map((each) => each.organization_id)}::uuid[], ${locked.map(({ id }) => id)}::uuid[]) as k (organization_id, id)
    where a.organization_id = k.organization_id and a.id = k.id`.execute(tx);
}
