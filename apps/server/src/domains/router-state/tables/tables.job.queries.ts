// Reads tables of other domains: client_settings, routers.
import type { networks } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/ports/database.ts';
import { recordRouterEvents } from '../history/router-events.store.ts';
import type { StoredClients } from './clients.ts';
import type { StoredWifi } from './wifi.ts';

/** The tables of a router, as stored. */
export interface RouterTables {
  readonly uplinks: {
    readonly uplinks: readonly networks.Uplink[];
    readonly backup: boolean;
    readonly down: boolean;
    /** `readLans`; tables of before have none. */
    readonly lans?: readonly string[];
  };
  readonly wifi: StoredWifi;
  readonly clients: StoredClients;
}
export type TableName = keyof RouterTables;

export interface TableRow {
  readonly routerId: string;
  readonly name: TableName;
  readonly content: RouterTables[TableName];
}

// No scope: routers authenticated, and their own rows name them.

/**
 * Store the newest of each table; another uplink that carries the traffic is an event on the timeline (LIV-10). Routers that were removed are
 * left out.
 */
export async function writeTables(tx: Tx, given: readonly TableRow[], now: Date): Promise<void> {
  const rows = [...new Map(given.map((row) => [`${row.routerId} ${row.name}`, row])).values()];
  const input = JSON.stringify(rows.map(({ routerId, ...row }) => ({ router_id: routerId, ...row })));
  const { rows: before } = await sql<{ router_id: string; carrier: string | null }>`
    select t.router_id, jsonb_path_query_first(t.content, '$.uplinks[*] ? (@.carries == true).name') #>> '{}' as carrier
    from router_tables t where t.name = 'uplinks'
      and t.router_id = any(${rows.flatMap(({ name, routerId }) => (name === 'uplinks' ? [routerId] : []))}::uuid[])
    order by t.router_id for update`.execute(tx);
  const known = new Map(before.map(({ router_id, carrier }) => [router_id, carrier]));
  await sql`insert into router_tables (router_id, name, read_at, content)
    select n.router_id, n.name, ${now}::timestamptz, n.content
    from jsonb_to_recordset(${input}::jsonb) as n (router_id uuid, name text, content jsonb)
      join routers r on r.id = n.router_id
    -- Names and addresses of people's devices, where the organization keeps none.
    where n.name <> 'clients'
      or not exists (select 1 from client_settings s where s.organization_id = r.organization_id and s.keep = 'nothing')
    order by 1, 2
    on conflict (router_id, name) do update set read_at = excluded.read_at, content = excluded.content`.execute(tx);
  await recordRouterEvents(
    tx,
    rows.flatMap((row) => {
      const from = known.get(row.routerId) ?? undefined;
      const to = 'uplinks' in row.content ? row.content.uplinks.find(({ carries }) => carries)?.name : undefined;
      if (from === undefined || to === undefined || from === to) return [];
      return [{ routerId: row.routerId, kind: 'alarm', subject: 'UPLINK', state: 'happened', reason: `${from} → ${to}` }];
    }),
    now,
  );
}

/** Days after which lists of people's devices are deleted where an organization chose none. */
const USUAL_DAYS = 30;

/** Delete lists of people's devices that are older than their organizations chose, and all where one keeps nothing; at most so many. */
export function deleteClientLists(tx: Tx, now: Date, most: number) {
  return sql`delete from router_tables where name = 'clients' and router_id = any (array(
    select t.router_id from router_tables t join routers r on r.id = t.router_id left join client_settings s on s.organization_id = r.organization_id
    where t.name = 'clients'
      and (s.keep = 'nothing' or t.read_at < ${now}::timestamptz - make_interval(days => coalesce(s.days, ${USUAL_DAYS})))
    order by t.router_id limit ${most} for update of t))`.execute(tx);
}

/** Delete the lists of people's devices of an organization. @param readBefore left out = all of them */
export async function deleteClientListsOf(tx: Tx, organizationId: string, readBefore?: Date): Promise<void> {
  await sql`delete from router_tables t using routers r
    where r.id = t.router_id and t.name = 'clients' and r.organization_id = ${organizationId}::uuid
      and t.read_at < ${readBefore ?? 'infinity'}::timestamptz`.execute(tx);
}
