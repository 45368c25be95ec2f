import { escapeIdentifier, type Client } from 'pg';
import type { Landed } from '../../platform/adapters/postgres/migrations.ts';
import type { BackedUpTable, Contents } from './manifest.ts';

/**
 * Tables whose rows mean nothing after a restore. The outbox names transactions of its cluster, which another one has not reached:
 * its readers would read such rows again and again. Sessions that were ended after the backup would be valid again; what refers to rows
 * of these tables is left out with them.
 */
const WITHOUT_ROWS = new Set([
  'identity_sessions',
  'nodes',
  'outbox',
  'remote_calls',
  'remote_nodes',
  'schema_migrations',
  'sessions',
  'shared_jobs',
  'write_probes',
]);

/** Whether the rows of a table are copied and restored; backups of earlier versions name more tables. */
export const hasCopiedRows = ({ name }: Pick<BackedUpTable, 'name'>): boolean => !WITHOUT_ROWS.has(name);

export type CatalogTable = Pick<BackedUpTable, 'name' | 'columns' | 'partition'>;

/** The tables to copy: those with rows of their own, so partitions instead of their tables, and no generated column. */
export async function listTables(client: Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; parent: string | null; bound: string | null }>(`
    select c.relname::text as name, p.relname::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
      array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname, c.relpartbound, p.relname order by c.relname`);
  return rows.filter(hasCopiedRows).map(({ name, columns, parent, bound }) => ({
    name,
    columns,
    ...(parent === null || bound === null ? {} : { partition: { of: parent, bound } }),
  }));
}

/** Sequences ignore snapshots: read after one, they are at least as far as its rows. */
export async function listSequences(client: Client): Promise<Contents['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname",
  );
  const sequences: Contents['sequences'] = [];
  for (const { name } of rows) {
    const read = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${escapeIdentifier(name)}`,
    );
    sequences.push({ name, ...read.rows[0]! });
  }
  return sequences;
}

export async function listMigrations(client: Client): Promise<Landed[]> {
  return (await client.query<Landed>('select number, name, checksum from schema_migrations order by number')).rows;
}

/** Every table of the schema, with the statements that remove and add its foreign keys. */
export async function listForeignKeys(client: Client): Promise<{ readonly drop: string; readonly add: string }[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %I drop constraint %I', t.relname, k.conname) as drop,
      format('alter table %I add constraint %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)) as add
    from pg_constraint k join pg_class t on t.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and t.relnamespace = 'public'::regnamespace order by t.relname, k.conname`);
  return rows;
}

/** Tables with triggers of ours, which must not count restored rows again. */
export async function listTriggered(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct t.relname::text as name from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where not g.tgisinternal and t.relnamespace = 'public'::regnamespace`);
  return rows.map(({ name }) => name);
}

/** Every table but the record of migrations; partitions are emptied with their tables. */
export async function listAllTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'`);
  return rows.map(({ name }) => name);
}
