import { sql } from 'kysely';
import type { Tx, Queries } from '../../platform/ports/database.ts';
import type { CellName } from './names.ts';
import type { Row } from '../../platform/ports/tables.ts';

// The outbox of the directory and the pass over all names. They are of the whole installation, so there is no scope.

export interface DueUpdate extends CellName, Row<'directory_updates', 'id'> {
  readonly isAdded: boolean;
}

export interface Pass extends Row<'directory_membership', 'cell'> {
  readonly beganAt: Date | null;
  readonly table: 'accounts' | 'routers' | null;
  readonly after: string | null;
  readonly endedAt: Date | null;
}

/** From now on every change of a name is noted. */
export async function joinDirectory(tx: Tx, cell: string): Promise<void> {
  await sql`insert into directory_membership (cell) values (${cell})
    on conflict (is_only) do nothing`.execute(tx);
}

/** No longer a cell: names are not noted any more. */
export async function leaveDirectory(tx: Tx): Promise<void> {
  await sql`delete from directory_membership`.execute(tx);
  await sql`delete from directory_updates`.execute(tx);
}

/** Whether this process may send now: one at a time does, over all processes, until the transaction ends. */
export async function lockSending(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean;
  }>`select pg_try_advisory_xact_lock(hashtext('directory_updates')) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

/** What is not in the directory yet, oldest first. */
export async function listDueUpdates(tx: Tx, limit: number): Promise<DueUpdate[]> {
  const { rows } = await sql<DueUpdate>`
    select id, kind, name, is_added as "isAdded" from directory_updates order by id limit ${limit}`.execute(tx);
  return rows;
}

/** Updates that the directory has. */
export async function removeUpdates(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`delete from directory_updates where id = any (${[...ids]}::bigint[])`.execute(tx);
}

/** The names that this transaction adds. */
export async function listOwnAdditions(tx: Tx): Promise<CellName[]> {
  const { rows } = await sql<CellName>`
    select kind, name from directory_updates where xid = pg_current_xact_id_if_assigned() and is_added order by id`.execute(tx);
  return rows;
}

/** How far all names were sent again; undefined = not a cell. */
export async function findPass(queries: Queries): Promise<Pass | undefined> {
  const { rows } = await sql<Pass>`select cell, pass_began_at as "beganAt", pass_table as "table", pass_after as after,
    pass_ended_at as "endedAt" from directory_membership`.execute(queries);
  return rows[0];
}

/** Note how far it is. */
export async function notePass(tx: Tx, { beganAt, table, after, endedAt }: Omit<Pass, 'cell'>): Promise<void> {
  await sql`update directory_membership set pass_began_at = ${beganAt}::timestamptz, pass_table = ${table}, pass_after = ${after}::uuid,
    pass_ended_at = ${endedAt}::timestamptz`.execute(tx);
}
