import { sql } from 'kysely';
import type { Database, Queries } from '../ports/database.ts';
import type { Row } from '../ports/tables.ts';

/** A start of a process, as it is registered. */
export interface NodeRow {
  readonly id: string;
  readonly name: string;
  /** Its name for people. */
  readonly host: string;
  readonly version: string;
  readonly hasBus: boolean;
  readonly leaseMs: number;
}

/** Register a node. @param isStart end the former nodes of this name, which are earlier runs of this process */
export async function registerNode(
  queries: Queries,
  { id, name, host, version, hasBus, leaseMs }: NodeRow,
  isStart: boolean,
): Promise<void> {
  await sql`with former as (update nodes set ended_at = now() where ${isStart} and name = ${name} and ended_at is null)
    insert into nodes (id, name, host, version, has_bus, lease_until)
    values (${id}::uuid, ${name}, ${host}, ${version}, ${hasBus}, now() + ${leaseMs} * interval '1 millisecond')`.execute(
    queries,
  );
}

/** Another process at this database. */
export interface OtherNode extends Row<'nodes', 'version'> {
  /** Null = its version knows none. */
  readonly host: string | null;
  readonly startedAt: Date;
  /** Null = its version knows none. */
  readonly hasBus: boolean | null;
}

/** Nodes with a valid lease that were started before this one. */
export async function listEarlier(queries: Queries, id: string): Promise<readonly OtherNode[]> {
  const { rows } = await sql<OtherNode>`select n.host, n.version, n.started_at as "startedAt", n.has_bus as "hasBus"
    from nodes own join nodes n on (n.started_at, n.id) < (own.started_at, own.id) and n.name <> own.name
    where own.id = ${id}::uuid and n.ended_at is null and n.lease_until > now() order by n.started_at limit 20`.execute(queries);
  return rows;
}

/** Another process, as of a renewal. */
export interface SeenNode {
  readonly id: string;
  readonly host: string | null;
  readonly version: string;
  /** Null = active. An earlier start of a process is `stopped` too. */
  readonly end: 'stopped' | 'lost' | null;
  /** Routers that are connected to it; null = its version does not say it. */
  readonly routers: number | null;
}

/** State of the leases after a renewal. */
export interface Renewal {
  /** False = others ended this node. */
  readonly isActive: boolean;
  /** How many nodes were ended with it. */
  readonly ended: number;
  /** How many nodes are active. */
  readonly active: number;
  /** The active ones, and those that ended within the last minutes. */
  readonly others: readonly SeenNode[];
  /** When a node ended last, as text for comparison; null = never. */
  readonly lastEnd: string | null;
}

/**
 * Renew the lease of a node by the clock of the database, with one statement. A lapsed lease is renewed too, unless others ended it.
 * @param endsOthers also end the nodes whose lease has lapsed
 */
export async function renewLease(
  queries: Queries,
  { id, leaseMs, routers }: Pick<NodeRow, 'id' | 'leaseMs'> & { readonly routers: number },
  endsOthers: boolean,
): Promise<Renewal> {
  const { rows } = await sql<Renewal>`
    with renewed as (
      update nodes set lease_until = now() + ${leaseMs} * interval '1 millisecond', routers = ${routers} where id = ${id}::uuid and ended_at is null
      returning id
    ), lapsed as (
      select n.id from nodes n where ${endsOthers} and n.id <> ${id}::uuid and n.ended_at is null and n.lease_until < now()
        and exists (select from renewed) for no key update of n skip locked
    ), ended as (
      update nodes n set ended_at = now() from lapsed l where n.id = l.id returning n.id
    )
    select exists (select from renewed) as "isActive", (select count(*)::int from ended) as ended,
      (select count(*)::int from nodes where ended_at is null) as active,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'host', host, 'version', version, 'routers', routers, 'end',
          case when ended_at is null then null when ended_at > lease_until then 'lost' else 'stopped' end) order by started_at), '[]')
        from nodes where id <> ${id}::uuid and (ended_at is null or ended_at > now() - interval '10 minutes')) as others,
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

/** Record which master keys a node knows, and which one everything that it writes from now on is sealed with. */
export async function recordKeys(
  queries: Queries,
  id: string,
  { known, sealing }: { readonly known: readonly string[]; readonly sealing: string },
): Promise<void> {
  await sql`update nodes set known_keys = ${known}::text[], sealing_key = ${sealing}
    where id = ${id}::uuid and (known_keys, sealing_key) is distinct from (${known}::text[], ${sealing})`.execute(queries);
}
