import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import type { Tx } from '../../platform/ports/database.ts';

/** Marks of what came late. */
const LATE = `insert into coverage_due (slot, router_id)
  select distinct coverage_slot_of(e.at), e.router_id from unnest($1::uuid[], $2::timestamptz[]) e (router_id, at)`;

/** Mark slots of reports that came after these were closed; in the transaction that stores the reports. */
export async function markLateReports(
  client: PoolClient,
  { routers, times }: { readonly routers: readonly string[]; readonly times: readonly number[] },
): Promise<void> {
  const { rows } = await client.query<{ closed: Date }>('select coverage_closed_until() as closed');
  const late = lateOnes(routers, times, rows[0]!.closed.getTime());
  if (late.routers.length > 0) await client.query(LATE, [late.routers, late.times]);
}

/** What a position may change besides the slot of its own time: reports next to it, and the place of later drops. */
const REACH_MS = [-60_000, 0, 60_000, 600_000];

/** The same for positions. */
export async function markLatePositions(
  tx: Tx,
  rows: readonly { readonly routerId: string; readonly at: number }[],
): Promise<void> {
  const found = await sql<{ closed: Date }>`select coverage_closed_until() as closed`.execute(tx);
  const closed = found.rows[0]!.closed.getTime();
  // Most are of now, and reach nothing that is closed.
  const reached = rows
    .filter(({ at }) => at + REACH_MS[0]! < closed)
    .flatMap(({ routerId, at }) => REACH_MS.map((reach) => ({ routerId, at: at + reach })));
  const late = lateOnes(
    reached.map(({ routerId }) => routerId),
    reached.map(({ at }) => at),
    closed,
  );
  if (late.routers.length === 0) return;
  await sql`insert into coverage_due (slot, router_id)
    select distinct coverage_slot_of(e.at), e.router_id from unnest(${late.routers}::uuid[], ${late.times}::timestamptz[]) e (router_id, at)`.execute(
    tx,
  );
}

/** Those before a time, one for each router and ten minutes. */
function lateOnes(routers: readonly string[], times: readonly number[], closed: number) {
  const late = { routers: [] as string[], times: [] as string[] };
  const seen = new Set<string>();
  for (const [index, at] of times.entries()) {
    if (at >= closed) continue;
    const name = `${routers[index]!} ${Math.floor(at / 600_000)}`;
    if (seen.has(name)) continue;
    seen.add(name);
    late.routers.push(routers[index]!);
    late.times.push(new Date(at).toISOString());
  }
  return late;
}
