import { sql } from 'kysely';
import type { Database, Queries } from '../ports/database.ts';

/** A start of a process, as it is registered. */
export interface NodeRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly leaseMs: number;
}

/** Register a node. @param isStart end the former nodes of this name, which are earlier runs of this process */
export async function registerNode(queries: Queries, { id, name, version, leaseMs }: NodeRow, isStart: boolean): Promise<void> {
  await sql`with former as (update nodes set ended_at = now() where ${isStart} and name = ${name} and ended_at is null)
    insert into nodes (id, name, version, lease_until)
    values (${id}::uuid, ${name}, ${version}, now() + ${leaseMs} * interval '1 millisecond')`.execute(queries);
}

/** State of the leases after a renewal. */
export interface Renewal {
  /** False = others ended this node. */
  readonly isActive: boolean;
  /** How many nodes were ended with it. */
  readonly ended: number;
  /** When a node ended last, as text for comparison; null = never. */
  readonly lastEnd: string | null;
}

/**
 * Renew the lease of a node by the clock of the database, with one statement. A lapsed lease is renewed too, unless others ended it.
 * @param endsOthers also end the nodes whose lease has lapsed
 */
export async function renewLease(
  queries: Queries,
  { id, leaseMs }: Pick<NodeRow, 'id' | 'leaseMs'>,
  endsOthers: boolean,
): Promise<Renewal> {
  const { rows } = await sql<Renewal>`
    with renewed as (
      update nodes set lease_until = now() + ${leaseMs} * interval '1 millisecond' where id = ${id}::uuid and ended_at is null
      returning id
    ), lapsed as (
      select n.id from nodes n where ${endsOthers} and n.id <> ${id}::uuid and n.ended_at is null and n.lease_until < now()
        and exists (select from renewed) for no key update of n skip locked
    ), ended as (
      update nodes n set ended_at = now() from lapsed l where n.id = l.id returning n.id
    )
    select exists (select from renewed) as "isActive", (select count(*)::int from ended) as ended,
      (select max(ended_at)::text from nodes) as "lastEnd"`.execute(queries);
  return rows[0]!;
}

/** The process stops: others may take its routers at once. */
export async function endNode(queries: Queries, id: string): Promise<void> {
  await sql`update nodes set ended_at = now() where id = ${id}::uuid and ended_at is null`.execute(queries);
}

/** How long ended nodes are listed. A process that was frozen this long and then writes is corrected by the next comparison. */
const KEPT = sql`interval '7 days'`;

/** Delete nodes that ended long ago. */
export async function purgeNodes(database: Database): Promise<void> {
  await sql`delete from nodes where ended_at < now() - ${KEPT}`.execute(database.read);
}
