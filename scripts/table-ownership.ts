import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

/** A statement in a source file that writes or reads a table of another folder. */
export interface ForeignAccess {
  readonly file: string;
  readonly table: string;
  /** The folder whose `.tables.ts` declares the table. */
  readonly owner: string;
}

export interface TableAccess {
  readonly writes: readonly ForeignAccess[];
  readonly reads: readonly ForeignAccess[];
}

const SOURCE = join('apps', 'server', 'src');
const DOMAINS = join(SOURCE, 'domains');

// Kysely's methods name the table first; raw SQL names it after the keyword. `copy` is how telemetry is written.
const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*'(\w+)/gu,
  /\b(?:insert into|update|delete from|merge into|copy)\s+(?:only\s+)?(\w+)\b/gu,
];
const READS = [
  /\b(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|using|from)\(\s*\[?\s*'(\w+)/gu,
  /\b(?:from|join)\s+(?:only\s+)?(\w+)\b/gu,
];

const tracked = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', '--', pattern], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The domain of a file, such as `devices`; undefined outside the domains. */
function domainOf(file: string): string | undefined {
  return file.startsWith(DOMAINS) ? file.slice(DOMAINS.length + 1).split('/')[0] : undefined;
}

/** Which domain declares each table in its `.tables.ts`. Tables of the platform have no domain and are left out. */
export function tableOwners(): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const file of tracked(`${DOMAINS}/**/*.tables.ts`)) {
    // A table is a member of `interface Tables`, a column one level deeper.
    for (const [, table] of read(file).matchAll(/^ {4}(\w+):/gmu)) owners.set(table!, domainOf(file)!);
  }
  return owners;
}

/** Comments mention tables too; only statements count. */
const withoutComments = (source: string): string => source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gmu, '');

/** Every access of a domain's files to a table that another domain declares; tests are left out. */
export function foreignAccess(): TableAccess {
  const owners = tableOwners();
  const files = tracked(`${DOMAINS}/**/*.ts`).filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.tables.ts'));
  const find = (patterns: readonly RegExp[]): ForeignAccess[] =>
    files.flatMap((file) => {
      const source = withoutComments(read(file));
      const tables = new Set(patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, table]) => table!)));
      return [...tables]
        .filter((table) => owners.has(table) && owners.get(table) !== domainOf(file))
        .map((table) => ({ file: file.slice(DOMAINS.length + 1), table, owner: owners.get(table)! }));
    });
  return { writes: find(WRITES), reads: find(READS) };
}
