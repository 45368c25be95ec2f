// Reads tables of other domains: devices, routers.
import { sql, type RawBuilder } from 'kysely';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import type { ClosedDay, UseState } from './count-use.ts';
import { writeDays } from './days.job.queries.ts';
import { packCounters, unpackCounters } from './packed.ts';

// Routers authenticated, and their own rows name the organization that has them; nothing is returned to a user.

/** Routers that a process holds, in the order of their ids, each with whether its organization keeps what clients use. */
export async function listHeldRouters(
  queries: Queries,
  nodeId: string,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly isCounted: boolean }[]> {
  const { rows } = await sql<{ id: string; isCounted: boolean }>`select h.id, exists (select 1 from devices d
      join client_settings s on s.organization_id = d.organization_id and s.keep = 'use'
      where d.router_id = h.id and d.archived_at is null) as "isCounted"
    from (select r.id from routers r where r.held_by = ${nodeId}::uuid and r.presence <> 'offline' and r.id > ${after}::uuid
      order by r.id limit ${limit}) h order by h.id`.execute(queries);
  return rows;
}

/** How many routers a process holds; 0 where no organization keeps what clients use. */
export async function countHeldRouters(queries: Queries, nodeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select case when exists (select 1 from client_settings where keep = 'use')
    then (select count(*)::int from routers r where r.held_by = ${nodeId}::uuid and r.presence <> 'offline') else 0 end as count`.execute(
    queries,
  );
  return rows[0]!.count;
}

/** The owner of a router whose clients are counted, and what is known of them. */
export interface CountedRouter {
  readonly routerId: string;
  readonly organizationId: string;
  readonly deviceId: string;
  /** Undefined at its first reading, and after it changed its device. */
  readonly state: UseState | undefined;
}

interface CountedRow {
  readonly routerId: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly day: number | null;
  readonly readAt: Date | null;
  readonly content: Buffer | null;
}

/**
 * Lock what is known of the clients of these routers, and the settings of their organizations: one that is switched off meanwhile either waits
 * for this transaction and deletes what it wrote, or is not among the result.
 */
export async function lockCountedRouters(tx: Tx, routerIds: readonly string[]): Promise<CountedRouter[]> {
  const { rows: owners } = await sql<{ routerId: string; organizationId: string; deviceId: string }>`
    select d.router_id as "routerId", d.organization_id as "organizationId", d.id as "deviceId"
    from devices d join client_settings s on s.organization_id = d.organization_id and s.keep = 'use'
    where d.router_id = any (${[...routerIds]}::uuid[]) and d.archived_at is null order by d.router_id for share of s`.execute(
    tx,
  );
  const { rows } =
    await sql<CountedRow>`select router_id as "routerId", organization_id as "organizationId", device_id as "deviceId",
      (day - date '1970-01-01') as day, read_at as "readAt", content
    from client_counters where router_id = any (${owners.map(({ routerId }) => routerId)}::uuid[]) order by router_id for update`.execute(
      tx,
    );
  const known = new Map(rows.map((row) => [row.routerId, row]));
  return owners.map((owner) => {
    const row = known.get(owner.routerId);
    const isSame = row !== undefined && row.deviceId === owner.deviceId && row.organizationId === owner.organizationId;
    return { ...owner, state: isSame ? stateOf(row) : undefined };
  });
}

function stateOf({ day, readAt, content }: CountedRow): UseState {
  return { day: day!, readAt: readAt!.getTime(), clients: unpackCounters(content!) };
}

/** What a reading makes of a router. */
export interface CountedReading extends Omit<CountedRouter, 'state'> {
  readonly state: UseState;
  readonly closed: readonly ClosedDay[];
}

/** Store new counters, and the days that are over. */
export async function writeCountedReadings(tx: Tx, readings: readonly CountedReading[]): Promise<void> {
  const counters = readings.map(({ routerId, organizationId, deviceId, state: { day, readAt, clients } }) => ({
    routerId,
    organizationId,
    deviceId,
    day,
    readAt: new Date(readAt).toISOString(),
    content: packCounters(clients).toString('base64'),
  }));
  await sql`insert into client_counters (router_id, organization_id, device_id, day, read_at, content)
    select n."routerId", n."organizationId", n."deviceId", date '1970-01-01' + n.day, n."readAt", decode(n.content, 'base64')
    from jsonb_to_recordset(${JSON.stringify(counters)}::jsonb) as n ("routerId" uuid, "organizationId" uuid, "deviceId" uuid, day integer,
        "readAt" timestamptz, content text)
      join routers r on r.id = n."routerId" order by 1
    on conflict (router_id) do update set organization_id = excluded.organization_id, device_id = excluded.device_id, day = excluded.day,
      read_at = excluded.read_at, content = excluded.content`.execute(tx);
  await writeDays(
    tx,
    readings.flatMap(({ organizationId, deviceId, closed }) => closed.map((day) => ({ organizationId, deviceId, ...day }))),
  );
}

/** The organizations with days of clients, each one look-up in the index. */
export async function listOrganizationsWithDays(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive o (id) as (
      (select c.organization_id from client_days c order by c.organization_id limit 1)
      union all select (select c.organization_id from client_days c where c.organization_id > o.id order by c.organization_id limit 1)
        from o where o.id is not null
    ) select id from o where id is not null`.execute(queries);
  return rows.map(({ id }) => id);
}

/** Delete days of an organization that are older than it chose, all that are over where it keeps none. */
export function deleteOldDays(tx: Tx, organizationId: string, now: Date, most: number) {
  return sql`delete from client_days where ctid = any (array(
    select c.ctid from client_days c where c.organization_id = ${organizationId}::uuid
      and c.day < (${now}::timestamptz - make_interval(days => coalesce(
        (select s.days from client_settings s where s.organization_id = ${organizationId}::uuid and s.keep = 'use'), 0)))::date
    limit ${most}))`.execute(tx);
}

/**
 * Of the next devices with days, delete those of the devices that left the organization.
 * @returns the last of these devices; undefined = there are no more
 */
export async function deleteDaysOfGone(tx: Tx, now: Date, after: string, most: number): Promise<string | undefined> {
  const next = (id: RawBuilder<unknown>) =>
    sql`(select c.device_id from client_days c where c.device_id > ${id} order by c.device_id limit 1)`;
  const { rows } = await sql<{ id: string }>`with recursive page (id, number) as (
      select ${next(sql`${after}::uuid`)}, 1
      union all select ${next(sql`p.id`)}, p.number + 1 from page p where p.id is not null and p.number < ${most}::integer
    ) select id from page where id is not null order by id`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`delete from client_days c where c.device_id = any (${ids}::uuid[])
    and not exists (select 1 from devices d where d.organization_id = c.organization_id and d.id = c.device_id
      and (d.archived_at is null or d.archived_at > ${now}::timestamptz - interval '30 days'))`.execute(tx);
  return ids.length < most ? undefined : ids.at(-1);
}
