// Reads tables of other domains: router_ownership.
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Crossing } from './crossing.ts';
import { type FencedRouter, type FenceVersion, isoTime } from './geofences.job.queries.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';

/** A crossing to be stored. */
export interface NewEvent extends Crossing {
  readonly router: FencedRouter;
  readonly fence: Pick<FenceVersion, 'id' | 'name'>;
}

/** Store crossings. As lists: a batch of positions may have more of them than a statement may have parameters. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const of = <T>(value: (event: NewEvent) => T): T[] => events.map((event) => value(event));
  await sql`insert into geofence_events (organization_id, device_id, router_id, geofence_id, geofence_name, kind, at)
    select * from unnest(${of(({ router }) => router.organizationId)}::uuid[], ${of(({ router }) => router.deviceId)}::uuid[],
      ${of(({ router }) => router.routerId)}::uuid[], ${of(({ fence }) => fence.id)}::uuid[], ${of(({ fence }) => fence.name)}::text[],
      ${of(({ kind }) => kind)}::text[], ${of(({ at }) => isoTime(at))}::timestamptz[])`.execute(tx);
}

/** A router entered or left a geofence. */
export interface GeofenceEvent {
  /** Grows with each event; of several nodes, a lower one may be committed later. */
  readonly id: number;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly geofenceId: string;
  readonly name: string;
  readonly kind: Crossing['kind'];
  /** Of the first position on the other side. */
  readonly at: Date;
  readonly storedAt: Date;
}

/** Events of geofences that were stored since a time, in their order: for who acts on them, once the outbox has the topic `geofences`. */
export async function readGeofenceEvents(
  { read }: Pick<Database, 'read'>,
  organizationId: string,
  since: Date,
  most: number,
): Promise<GeofenceEvent[]> {
  const rows = await read
    .selectFrom('geofence_events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('stored_at', '>=', since)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    deviceId: row.device_id,
    geofenceId: row.geofence_id,
    name: row.geofence_name,
    kind: row.kind,
    at: row.at,
    storedAt: row.stored_at,
  }));
}

/** Rows of one statement. */
const BATCH = 5_000;

/**
 * A job: delete events that are older than the days kept, and states of routers that the organization no longer has.
 * @returns how many were deleted
 */
export async function purgeGeofenceEvents(database: Database, days: number, now: Date): Promise<number> {
  const before = new Date(now.getTime() - days * 86_400_000);
  const deleted = await deleteInBatches(database, BATCH, (tx) =>
    sql`delete from geofence_events where id in (
      select id from geofence_events where stored_at < ${before}::timestamptz limit ${BATCH})`.execute(tx),
  );
  await database.write((tx) =>
    sql`delete from geofence_states s using geofences g where g.id = s.geofence_id and not exists (
      select 1 from router_ownership w where w.router_id = s.router_id and w.organization_id = g.organization_id
        and w.owned_until is null)`.execute(tx),
  );
  return deleted;
}
