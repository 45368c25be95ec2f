import { sql, type RawBuilder } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { HashedName } from './names.ts';
import type { Row } from '../../platform/ports/tables.ts';

// The directory knows no tenants: a cell is authenticated by its bearer, and reads and changes only its own names.

/** Names as rows (kind, hash), in an order that is the same for everyone who locks them. */
function rowsOf(names: readonly HashedName[]): RawBuilder<unknown> {
  const sorted = names.toSorted((a, b) => (`${a.kind} ${a.hash}` < `${b.kind} ${b.hash}` ? -1 : 1));
  const kinds = sorted.map(({ kind }) => kind);
  const hashes = sorted.map(({ hash }) => Buffer.from(hash, 'base64url'));
  return sql`unnest(${kinds}::text[], ${hashes}::bytea[]) as n (kind, hash)`;
}

/** Write names of a cell, or that it still has them. @returns those that another cell has, which are unchanged */
export async function putNames(tx: Tx, cell: string, names: readonly HashedName[]): Promise<HashedName[]> {
  if (names.length === 0) return [];
  await sql`insert into directory_names (kind, hash, cell) select distinct n.kind, n.hash, ${cell} from ${rowsOf(names)}
    order by n.kind, n.hash
    on conflict (kind, hash) do update set seen_at = now() where directory_names.cell = excluded.cell`.execute(tx);
  const { rows } = await sql<Row<'directory_names', 'kind' | 'hash'>>`
    select d.kind, d.hash from directory_names d join ${rowsOf(names)} on d.kind = n.kind and d.hash = n.hash
    where d.cell <> ${cell}`.execute(tx);
  return rows.map(({ kind, hash }) => ({ kind, hash: hash.toString('base64url') }));
}

/** Remove names of a cell; those of others stay. */
export async function removeNames(tx: Tx, cell: string, names: readonly HashedName[]): Promise<void> {
  if (names.length === 0) return;
  await sql`delete from directory_names d using ${rowsOf(names)}
    where d.kind = n.kind and d.hash = n.hash and d.cell = ${cell}`.execute(tx);
}

/** Remove names that a cell has not sent since a time, at most `most`. @returns their number */
export async function dropUnseen(tx: Tx, cell: string, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from directory_names where (kind, hash) in (
    select kind, hash from directory_names where cell = ${cell} and seen_at < ${before}::timestamptz limit ${most})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** The cell of a name; undefined = no cell has sent it. */
export async function findCell(queries: Queries, { kind, hash }: HashedName): Promise<string | undefined> {
  const row = await queries
    .selectFrom('directory_names')
    .select('cell')
    .where('kind', '=', kind)
    .where('hash', '=', Buffer.from(hash, 'base64url'))
    .executeTakeFirst();
  return row?.cell;
}
