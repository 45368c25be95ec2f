import { sql } from 'kysely';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { EndedState } from './fired-states.job.queries.ts';
import type { DueState } from './alert-states.job.queries.ts';
import type { Row } from '../../platform/ports/tables.ts';

// Statements of the job that fires and resolves alerts of every organization.

/** An alert that was written now. */
export type ChangedAlert = Row<
  'alerts',
  | 'id'
  | 'organization_id'
  | 'main_account_id'
  | 'rule_id'
  | 'device_id'
  | 'rule_name'
  | 'severity'
  | 'kind'
  | 'value'
  | 'reading'
  | 'geofence'
  | 'carrier'
  | 'place'
  | 'storm_id'
  | 'resolution'
>;

/** The columns of `ChangedAlert`. */
export const changedColumns = [
  'id',
  'organization_id',
  'main_account_id',
  'rule_id',
  'device_id',
  'rule_name',
  'severity',
  'kind',
  'value',
  'reading',
  'geofence',
  'carrier',
  'place',
  'storm_id',
  'resolution',
] as const;

/** Write alerts; a rule and a device that have an open one get no other. */
export async function insertAlerts(tx: Tx, due: readonly DueState[], now: Date): Promise<ChangedAlert[]> {
  if (due.length === 0) return [];
  return tx
    .insertInto('alerts')
    .values(
      due.map(({ hours: _hours, scope_kind: _kind, scope_key: _key, presence: _presence, ...alert }) => ({
        ...alert,
        id: newId(now.getTime()),
        state: 'firing' as const,
        fired_at: now,
        resolution: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'rule_id', 'device_id']).where('state', '<>', 'resolved').doNothing(),
    )
    .returning(changedColumns)
    .execute();
}

/** Resolve the open ones among these alerts. */
export async function resolveAlerts(tx: Tx, ended: readonly EndedState[], now: Date): Promise<ChangedAlert[]> {
  const { rows } =
    await sql<ChangedAlert>`update alerts a set state = 'resolved', resolved_at = ${now}::timestamptz, resolution = k.resolution
    from unnest(${ended.map((each) => each.organization_id)}::uuid[], ${ended.map((each) => each.alert_id)}::uuid[],
      ${ended.map(({ resolution }) => resolution)}::text[]) as k (organization_id, id, resolution)
    where a.organization_id = k.organization_id and a.id = k.id and a.state <> 'resolved'
    returning ${sql.join(changedColumns.map((column) => sql.ref(`a.${column}`)))}`.execute(tx);
  return rows;
}

/** Delete alerts that were resolved before a time. @returns how many */
export async function deleteResolved(tx: Tx, before: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from alerts where (organization_id, id) in (
    select organization_id, id from alerts where resolved_at < ${before}::timestamptz order by resolved_at limit ${most})`.execute(
    tx,
  );
  return Number(numAffectedRows);
}

/** The organizations of alerts, each with those alerts. */
export function byOrganization(
  changed: readonly Pick<ChangedAlert, 'id' | 'organization_id' | 'main_account_id'>[],
): [OrganizationScope, string[]][] {
  return [...Map.groupBy(changed, (alert) => alert.organization_id)].map(([organizationId, own]) => [
    { kind: 'organization', mainAccountId: own[0]!.main_account_id, organizationId },
    own.map(({ id }) => id),
  ]);
}
