import { Client } from 'pg';

interface Column {
  readonly table: string;
  readonly name: string;
  /** As `format_type` writes it. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly isGenerated: boolean;
  readonly hasDefault: boolean;
  /** The texts that a check constraint allows. */
  readonly allowed: string[] | null;
}

/** Tables of PostgreSQL's own bookkeeping, of migrations, and partitions are left out. */
const COLUMNS = `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
    not a.attnotnull as "isNullable", a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated",
    a.atthasdef or a.attidentity <> '' as "hasDefault",
    (select array_agg(m[1] order by n) from pg_constraint k,
      regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') with ordinality as t (m, n)
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^\\]]*\\]\\)\\)\\)') as allowed
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

/** What the driver returns (platform/adapters/postgres/types.ts). */
const TYPES: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'double precision': 'number',
  integer: 'number',
  real: 'number',
  smallint: 'number',
  'timestamp with time zone': 'Date',
};
const WIDTH = 120;

/** The type of a column, for reads and writes. */
function typeOf(
  { table, name, type, allowed, isNullable, isGenerated, hasDefault }: Column,
  declared: ReadonlySet<string>,
): string {
  const element = type.replace(/\[\]$/u, '');
  const isJson = element === 'json' || element === 'jsonb';
  const known = allowed?.map((text) => `'${text}'`).join(' | ') ?? (isJson ? 'unknown' : (TYPES[element] ?? 'string'));
  const inner = declared.has(`${table}.${name}`) ? `Declared<'${table}.${name}'>` : element === type ? known : `${known}[]`;
  const orNull = isNullable ? ' | null' : '';
  if (isGenerated) return `ColumnType<${inner}${orNull}, never, never>`;
  if (isJson) return `Json<${inner}>${orNull}`;
  if (element === 'numeric') return `ColumnType<string${orNull}, number${orNull}, number${orNull}>`;
  return hasDefault ? `Generated<${inner}${orNull}>` : `${inner}${orNull}`;
}

/**
 * The types of all tables, as source text.
 * @param declared columns whose types domains declare in `ColumnTypes`, as `table.column`
 */
export async function writeSchema(url: string, declared: ReadonlySet<string>): Promise<string> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<Column>(COLUMNS);
  await client.end();
  const tables = Map.groupBy(rows, ({ table }) => table);
  const bodies = [...tables].map(([table, columns]) => {
    const lines = [''];
    for (const column of columns) {
      const text = ` ${column.name}: ${typeOf(column, declared)};`;
      if (lines.at(-1)!.length + text.length > WIDTH) lines.push('');
      lines.push(`${lines.pop()!}${text}`);
    }
    return `  ${table}: {\n${lines.map((line) => `   ${line}`).join('\n')}\n  };`;
  });
  return `// Generated from the migrated database by schema.test.ts; \`vitest run -u\` writes it again.
import type { ColumnType, Generated } from 'kysely';
import type { Declared, Json } from './column-types.ts';

/** Every table of migrations/. */
export interface Tables {
${bodies.join('\n')}
}
`;
}
