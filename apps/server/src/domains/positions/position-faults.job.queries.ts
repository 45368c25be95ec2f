// Reads tables of other domains: router_ownership, routers.
import type { positions } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';

/** Positions of a router that were rejected or corrected for one reason. */
export interface CollectedFault {
  readonly routerId: string;
  readonly reason: positions.PositionFault['reason'];
  readonly since: Date;
  readonly last: Date;
  readonly count: number;
  readonly received: string | null;
}

/** Add to the faults of routers; after a day without one, and with another owner, they begin again. */
export async function addFaults(tx: Tx, faults: readonly CollectedFault[]): Promise<void> {
  const of = <Value>(value: (fault: CollectedFault) => Value) => faults.map((fault) => value(fault));
  const begins = sql`(f.last_at < excluded.since - interval '1 day' or f.since < (
    select max(o.owned_from) from router_ownership o where o.router_id = f.router_id))`;
  // The router may have been removed from the inventory meanwhile.
  await sql`insert into position_faults as f (router_id, reason, since, last_at, count, received)
    select r.id, n.reason, n.since, n.last_at, n.count, n.received
    from unnest(${of(({ routerId }) => routerId)}::uuid[], ${of(({ reason }) => reason)}::text[], ${of(({ since }) => since.toISOString())}::timestamptz[],
      ${of(({ last }) => last.toISOString())}::timestamptz[], ${of(({ count }) => count)}::bigint[], ${of(({ received }) => received)}::text[])
      as n (id, reason, since, last_at, count, received)
    join routers r on r.id = n.id order by r.id, n.reason for key share of r
    on conflict (router_id, reason) do update set last_at = excluded.last_at, received = excluded.received,
      since = case when ${begins} then excluded.since else f.since end,
      count = case when ${begins} then excluded.count else f.count + excluded.count end`.execute(tx);
}

/** Delete what routers ended long ago; what came, which may name a place, in any case. */
export async function purgeFaults(tx: Tx, before: Date): Promise<void> {
  await sql`update position_faults f set received = null where f.last_at < ${before}::timestamptz and f.received is not null`.execute(
    tx,
  );
  await sql`delete from position_faults f using router_positions p
    where f.last_at < ${before}::timestamptz and p.router_id = f.router_id and p.stored_at > f.last_at`.execute(tx);
}
