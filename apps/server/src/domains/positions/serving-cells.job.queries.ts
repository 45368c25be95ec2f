// Reads tables of other domains: devices, organizations, router_ownership.
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import type { Estimate, Square } from './serving-cells.ts';

/** A serving cell of an organization. */
export type CellKey = Row<'serving_cells', 'organization_id' | 'carrier' | 'technology' | 'cell'>;

/** A position of a vehicle, and the cell that serves it. */
export interface ServedPosition extends CellKey {
  readonly latitude: number;
  readonly longitude: number;
  readonly at: Date;
}

/** A cell with its squares, and what they say. */
export interface CellSquares extends CellKey {
  readonly squares: readonly Square[];
  readonly estimate: Estimate | undefined;
}

/** Others wait for the end of this transaction before they do the same; false = another process is at it. */
export async function lockServingCells(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext('serving_cells')) as mine`.execute(tx);
  return rows[0]!.mine;
}

/** The last of the next routers with a position, in the order of their ids; undefined = those that are left are fewer. */
export async function findEndOfPage(database: Database, after: string, limit: number): Promise<string | undefined> {
  const { rows } = await sql<Row<'router_positions', 'router_id'>>`select router_id from router_positions
    where router_id > ${after}::uuid order by router_id offset ${limit - 1} limit 1`.execute(database.read);
  return rows[0]?.router_id;
}

/**
 * Newest positions since a time, of routers that report a cell, of the time in which its organization had the router. Jumps are probably wrong, and
 * a position that is known to a kilometre says nothing about a cell.
 * @param to undefined = all routers that are left
 */
export async function readServedPositions(
  database: Database,
  { after, to, since }: { readonly after: string; readonly to: string | undefined; readonly since: Date },
): Promise<ServedPosition[]> {
  const { rows } = await sql<ServedPosition>`
    select d.organization_id, d.carrier, d.technology, d.cell_id as cell, p.latitude, p.longitude, p.at
    from router_positions p
      join router_ownership o on o.router_id = p.router_id and o.owned_until is null and p.at >= o.owned_from
      join devices d on d.organization_id = o.organization_id and d.id = o.device_id and d.router_id = p.router_id and d.archived_at is null
    where p.router_id > ${after}::uuid and (${to ?? null}::uuid is null or p.router_id <= ${to ?? null}::uuid)
      and p.at >= ${since}::timestamptz and not p.is_jump and coalesce(p.accuracy, 0) <= 500
      and d.presence = 'online' and d.carrier <> '' and d.technology <> '' and d.cell_id <> ''`.execute(database.read);
  return rows;
}

type StoredCell = CellKey & Row<'serving_cells', 'latitudes' | 'longitudes' | 'days'>;

/** The squares of cells; one that is not known is left out. */
export async function readCells(
  tx: Tx,
  keys: readonly CellKey[],
): Promise<(CellKey & { readonly squares: readonly Square[] })[]> {
  const { rows } =
    await sql<StoredCell>`select s.organization_id, s.carrier, s.technology, s.cell, s.latitudes, s.longitudes, s.days
    from serving_cells s join jsonb_populate_recordset(null::serving_cells, ${JSON.stringify(keys)}::jsonb) k
      on (s.organization_id, s.carrier, s.technology, s.cell) = (k.organization_id, k.carrier, k.technology, k.cell)`.execute(tx);
  return rows.map(withSquares);
}

/** Cells with squares that are older than they are kept. @param days setting POSITION_DAYS; an organization may keep fewer */
export async function readOldCells(
  tx: Tx,
  { today, days, limit }: { readonly today: number; readonly days: number; readonly limit: number },
): Promise<(CellKey & { readonly squares: readonly Square[]; readonly from: number })[]> {
  const { rows } = await sql<StoredCell & { readonly from: number }>`
    select s.organization_id, s.carrier, s.technology, s.cell, s.latitudes, s.longitudes, s.days, (${today}::integer - k.days) as "from"
    from (select o.id, least(o.retention_days, ${days}::integer) as days from organizations o where o.retention_days < ${days}::integer) k
      join serving_cells s on s.organization_id = k.id and s.oldest_day < ${today}::integer - k.days
    union all
    select s.organization_id, s.carrier, s.technology, s.cell, s.latitudes, s.longitudes, s.days, ${today}::integer - ${days}::integer
    from serving_cells s where s.oldest_day < ${today}::integer - ${days}::integer
    limit ${limit}`.execute(tx);
  return rows.map(({ from, ...cell }) => ({ ...withSquares(cell), from }));
}

function withSquares({ latitudes, longitudes, days, ...key }: StoredCell) {
  const squares = days.map((day, index) => ({ latitude: latitudes[index]!, longitude: longitudes[index]!, day }));
  return { ...key, squares };
}

/** Store the squares of cells; one without any is deleted. */
export async function storeCells(tx: Tx, cells: readonly CellSquares[]): Promise<void> {
  const rows = cells.map(({ squares, estimate, ...key }) => ({
    ...key,
    latitudes: squares.map(({ latitude }) => latitude),
    longitudes: squares.map(({ longitude }) => longitude),
    days: squares.map(({ day }) => day),
    oldest_day: Math.min(...squares.map(({ day }) => day)),
    ...(estimate ?? { latitude: null, longitude: null, radius: null }),
  }));
  const kept = JSON.stringify(rows.filter(({ days }) => days.length > 0));
  await sql`insert into serving_cells
    select r.* from jsonb_populate_recordset(null::serving_cells, ${kept}::jsonb) r
    on conflict (organization_id, carrier, technology, cell) do update set latitudes = excluded.latitudes, longitudes = excluded.longitudes,
      days = excluded.days, oldest_day = excluded.oldest_day, latitude = excluded.latitude, longitude = excluded.longitude,
      radius = excluded.radius`.execute(tx);
  const empty = JSON.stringify(rows.filter(({ days }) => days.length === 0).map((row) => ({ ...row, oldest_day: 0 })));
  await sql`delete from serving_cells s using jsonb_populate_recordset(null::serving_cells, ${empty}::jsonb) r
    where (s.organization_id, s.carrier, s.technology, s.cell) = (r.organization_id, r.carrier, r.technology, r.cell)`.execute(
    tx,
  );
}
