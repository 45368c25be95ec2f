import { hash } from 'node:crypto';
import type { Client } from 'pg';
import { StartupError } from '../../settings/settings-file.ts';
import { sqlState } from './faults.ts';
import { limitedSchemas, rulesOf, type LimitedSchema } from './limited-tables.ts';

const NOT_ALLOWED = '42501';

/**
 * A schema for limited people has a view for each table, under the name of the table: the rows that a limited person may see, as `rulesOf` says,
 * or a view that the server may not read. A transaction that calls `limited.enter` finds these before the tables, so that a statement which names a table
 * without a rule fails. The views act with the rights of the serving role.
 */
const ENTER = `
  create function limited.enter(account uuid, organization uuid, groups text[], tags text[]) returns text language sql as $$
    select set_config('highline.account', $1::text, true) || set_config('highline.organization', $2::text, true) ||
      set_config('highline.groups', $3::text, true) || set_config('highline.tags', $4::text, true) ||
      set_config('search_path', case $4 when '{}' then 'limited_by_group' else 'limited' end || ', public, pg_temp', true)
  $$`;

/** The tables of the schema, without partitions: those are read through their tables. */
const TABLES = `select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`;

/**
 * Make the views of the tables as they are now, in one transaction; nothing is done where they were made by the same statements and no table has
 * changed since (`changeBehindLimitedViews`), as at most starts. The views of a newer program stay: this one knows no rules for its tables.
 * @param client connected as the owner of the database, with the lock of migrations
 * @param lockTimeoutMs how long it waits for the statements of limited people
 * @param isNewer whether a newer program has migrated the database
 * @throws StartupError when the owner may not create a schema
 */
export async function makeLimitedViews(client: Client, lockTimeoutMs: number, isNewer: boolean): Promise<void> {
  const statements = statementsFor(await readTables(client), viewOf);
  const digest = hash('sha256', statements.join('\n'));
  const { rows } = await client.query<{ made: string | null }>(
    `select obj_description(to_regnamespace('limited'), 'pg_namespace') as made`,
  );
  if (rows[0]?.made === digest || (isNewer && rows[0]?.made !== null)) return;
  await renewSchemas(client, [
    `set local lock_timeout = ${lockTimeoutMs}`,
    ...statements,
    `comment on schema limited is '${digest}'`,
  ]);
}

/**
 * Change tables while no view holds on to a column, and make the views again, in the transaction of the caller. Statements of limited people wait for
 * its end: they read the former views or the new ones, also after a failure, and never a new table without its view.
 */
export async function changeBehindLimitedViews(client: Client, change: () => Promise<void>): Promise<void> {
  // Without them, as in an empty database, no process serves limited people.
  const { rowCount } = await client.query("select where to_regnamespace('limited') is not null");
  if (rowCount === 0) return change();
  await client.query(limitedSchemas.map((schema) => `drop schema if exists ${schema} cascade`).join('; '));
  await change();
  await client.query(statementsFor(await readTables(client), viewIfPossible).join(';\n'));
}

async function readTables(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  return new Set(rows.map(({ name }) => name));
}

/** The schema again, without views. */
const schemaOf = (schema: LimitedSchema): readonly string[] => [
  `drop schema if exists ${schema} cascade; create schema ${schema}; grant usage on schema ${schema} to highline_serve`,
  ...(schema === 'limited' ? [ENTER] : []),
];

type ViewOf = (schema: LimitedSchema, table: string, rows: string) => string;

const viewOf: ViewOf = (schema, table, rows) =>
  `create view ${schema}.${table} with (security_invoker = true) as ${rows};
    grant select, insert, update, delete on ${schema}.${table} to highline_serve`;

/** With the columns of the table, so that the server says that it is not allowed, and not that there is no such column. */
const closedView = (schema: LimitedSchema, table: string): string =>
  `create view ${schema}.${table} as select * from public.${table} where false`;

/** Between two migrations a rule may need a column or a table of the later one: until then nothing is read from its table. */
const viewIfPossible: ViewOf = (schema, table, rows) => `do $view$ begin
    ${viewOf(schema, table, rows)};
  exception when undefined_column or undefined_table or undefined_function or undefined_object or datatype_mismatch then
    ${closedView(schema, table)};
  end $view$`;

/** Both schemas again, with a view for each table. */
function statementsFor(tables: ReadonlySet<string>, makeView: ViewOf): readonly string[] {
  return limitedSchemas.flatMap((schema) => {
    const ruled = rulesOf(schema).filter(({ table }) => tables.has(table));
    const isRuled = new Set(ruled.map(({ table }) => table));
    const others = [...tables].filter((name) => !isRuled.has(name));
    return [
      ...schemaOf(schema),
      ...ruled.map(({ table, rows }) => makeView(schema, table, rows)),
      ...others.map((name) => closedView(schema, name)),
    ];
  });
}

async function renewSchemas(client: Client, statements: readonly string[]): Promise<void> {
  try {
    await client.query(['begin', ...statements, 'commit'].join(';\n'));
  } catch (error) {
    await client.query('rollback');
    if (sqlState(error) !== NOT_ALLOWED) throw error;
    throw new StartupError(
      `The user of DATABASE_URL may not create the schema limited (${(error as Error).message}). As an administrator of that PostgreSQL, once: grant create on database … to that user;`,
      { cause: error },
    );
  }
}
