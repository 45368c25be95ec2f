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
