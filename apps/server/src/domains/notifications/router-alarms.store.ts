import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import { manyOf } from '../../platform/listing/index.ts';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';

// Router reports have no scope: the organization is found by the router's id.

export interface AlarmState extends Row<'router_alarms', 'alarm' | 'state'> {
  readonly routerId: string;
}

/** An alarm as it is stored. */
export interface StoredState extends AlarmState {
  readonly changedAt: Date;
}

export interface OwnedState extends AlarmState {
  readonly deviceId: string;
}

/** The present device of a router. */
export interface Owner extends Row<
  'devices',
  'router_id' | 'organization_id' | 'main_account_id' | 'group_key' | 'serial' | 'vehicle_number'
> {
  readonly device_id: string;
}

/** The last reports of routers in their present organization. */
export async function findStates(queries: Queries, routerIds: readonly string[]): Promise<StoredState[]> {
  const { rows } = await sql<StoredState>`
    select a.router_id as "routerId", a.alarm, a.state, a.changed_at as "changedAt"
    from router_alarms a join routers r on r.id = a.router_id and r.device_id = a.device_id
    where a.router_id in ${manyOf(routerIds, 'uuid')}`.execute(queries);
  return rows;
}

/** The same with the devices of the routers; no other process writes reports of these routers until the transaction ends. */
export async function findStatesAndOwners(tx: Tx, routerIds: readonly string[]) {
  const { rows } = await sql<Owner>`
    select r.id as router_id, r.organization_id, r.main_account_id, r.device_id, d.group_key, d.serial, d.vehicle_number
    from routers r join devices d on d.organization_id = r.organization_id and d.id = r.device_id
    where r.id in ${manyOf(routerIds, 'uuid')} order by r.id for key share of r`.execute(tx);
  return { owners: new Map(rows.map((row) => [row.router_id, row])), states: await findStates(tx, routerIds) };
}

/** Delete the reports of routers that have another owner, so that all of them count as new. */
export async function deleteAlarms(tx: Tx, { mainAccountId }: Scope, routerIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('router_alarms')
    .where('router_id', 'in', (of) =>
      of
        .selectFrom('routers')
        .select('id')
        .where('main_account_id', '=', mainAccountId)
        .where('id', 'in', manyOf(routerIds, 'uuid')),
    )
    .execute();
}

/** Write alarm states, always in the same order, to avoid deadlocks between writers. */
export async function putStates(tx: Tx, states: readonly OwnedState[], now: Date): Promise<void> {
  if (states.length === 0) return;
  const sorted = states.toSorted((a, b) => (`${a.routerId} ${a.alarm}` < `${b.routerId} ${b.alarm}` ? -1 : 1));
  await tx
    .insertInto('router_alarms')
    .values(
      sorted.map(({ routerId, alarm, state, deviceId }) => ({
        router_id: routerId,
        alarm,
        state,
        device_id: deviceId,
        changed_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['router_id', 'alarm']).doUpdateSet((set) => ({
        state: set.ref('excluded.state'),
        device_id: set.ref('excluded.device_id'),
        changed_at: now,
      })),
    )
    .execute();
}
