import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier, type Client } from 'pg';
import { sqlState } from '../../platform/adapters/postgres/faults.ts';
import { CommandFault, type Say } from '../command.ts';
import type { Key, SealedColumn } from './sealed-columns.ts';

/** Rows of a transaction; a config file has at most some hundred KB. */
const BATCH = 100;
const SAY_EVERY_MS = 5_000;
/** Deadlock, serialization failure, and a lock that was not to be had in time. */
const CONTENDED = new Set(['40P01', '40001', '55P03']);
const LOCK_TIMEOUT = '2s';
const CONTENDED_MS = 300_000;
const RETRY_MS = 200;

interface SealedRow {
  readonly key: readonly string[];
  readonly value: Buffer;
}

/**
 * Seal the values of a column again, in batches by primary key. A value that changes meanwhile is left alone: processes seal with the
 * new key by then.
 * @returns how many values this run sealed
 */
export async function resealColumn(
  client: Client,
  column: SealedColumn,
  keys: { readonly previous: KeyObject; readonly next: KeyObject },
  say: Say,
): Promise<number> {
  const { page, count, update } = statementsOf(column);
  const reseal = resealing(column, keys);
  const { rows: counted } = await client.query<{ total: number }>(count);
  let [sealed, seen, saidAt] = [0, 0, performance.now()];
  let last: readonly string[] | undefined;
  for (;;) {
    const { rows } = await client.query<SealedRow>(page(last === undefined), [...(last ?? [])]);
    const changes = rows.flatMap((row) => reseal(row));
    if (changes.length > 0) {
      const columns = Object.keys(column.key).map((_, n) => changes.map(({ row }) => row.key[n]!));
      const values = [changes.map(({ row }) => row.value), changes.map(({ value }) => value), ...columns];
      sealed += await writeBatch(client, column, update, values);
    }
    seen += rows.length;
    if (rows.length < BATCH) break;
    last = rows.at(-1)!.key;
    if (performance.now() - saidAt > SAY_EVERY_MS) {
      saidAt = performance.now();
      say(`${nameOf(column)}: ${seen} of ${counted[0]!.total} values read, ${sealed} sealed with the new key.`);
    }
  }
  say(`${nameOf(column)}: ${sealed} of ${seen} values sealed with the new key.`);
  return sealed;
}

function statementsOf({ table, column, key }: SealedColumn) {
  const [from, value] = [escapeIdentifier(table), escapeIdentifier(column)];
  const names = Object.keys(key).map((name) => escapeIdentifier(name));
  const types = Object.values(key);
  return {
    count: `select count(*) as total from ${from} where ${value} is not null`,
    page: (isFirst: boolean) => `
      select array[${names.map((name) => `${name}::text`).join(', ')}] as key, ${value} as value from ${from}
      where ${value} is not null ${isFirst ? '' : `and (${names.join(', ')}) > (${types.map((type, n) => `$${n + 1}::${type}`).join(', ')})`}
      order by ${names.join(', ')} limit ${BATCH}`,
    update: `
      update ${from} t set ${value} = n.new
      from unnest($1::bytea[], $2::bytea[], ${types.map((_, n) => `$${n + 3}::text[]`).join(', ')})
        as n(old, new, ${types.map((_, n) => `key_${n}`).join(', ')})
      where ${names.map((name, n) => `t.${name} = n.key_${n}::${types[n]!}`).join(' and ')} and t.${value} = n.old`,
  };
}

/** A row as it should be; none when it is sealed with the new key already. @throws CommandFault when neither key opens it */
function resealing(column: SealedColumn, { previous, next }: { readonly previous: KeyObject; readonly next: KeyObject }) {
  const [from, to] = [column.sealing(previous), column.sealing(next)];
  return (row: SealedRow): { row: SealedRow; value: Buffer }[] => {
    const key: Key = Object.fromEntries(Object.keys(column.key).map((name, n) => [name, row.key[n]!]));
    if (openOrNot(() => to.open(key, row.value)) !== undefined) return [];
    const contents = openOrNot(() => from.open(key, row.value));
    if (contents === undefined) throw new CommandFault(damaged(column, key));
    return [{ row, value: to.seal(key, contents) }];
  };
}

/** @returns how many rows were as they had been read */
async function writeBatch(client: Client, column: SealedColumn, update: string, values: unknown[]): Promise<number> {
  const deadline = performance.now() + CONTENDED_MS;
  for (;;) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      const { rowCount } = await client.query(update, values);
      await client.query('commit');
      return rowCount ?? 0;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!CONTENDED.has(sqlState(error) ?? '')) throw error;
      if (performance.now() > deadline)
        throw new CommandFault(
          `A transaction has been holding rows of ${column.table} for minutes. End it (pg_stat_activity shows it), and run the command again.`,
          { cause: error },
        );
      await pause(RETRY_MS);
    }
  }
}

function openOrNot(open: () => Buffer): Buffer | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

function damaged(column: SealedColumn, key: Key): string {
  return `${nameOf(column)} of ${Object.values(key).join('/')} can be opened with neither key: it is damaged. Restore that row from a backup, or delete it, and run the command again.`;
}
