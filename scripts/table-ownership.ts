import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

/** A statement in a source file that writes or reads a table of another domain. */
export interface ForeignAccess {
  readonly file: string;
  readonly table: string;
  /** The domain that writes the table. */
  readonly owner: string;
}

/** Writes to a table of another domain, with the reason. The list may only become shorter. */
export const FOREIGN_WRITES: Readonly<Record<string, string>> = {
  'configs bindings':
    'A deleted file ends its bindings in its own transaction; rollouts depends on configs, not the other way round.',
  'firmware bindings':
    'A deleted file ends its bindings in its own transaction; rollouts depends on firmware, not the other way round.',
  'devices router_ownership': 'The purge of an archived device deletes the intervals that refer to it, before the device.',
  'groups devices': 'A move changes the group of many devices in one statement that counts and locks them.',
  'inventory rate_windows': 'Identity collisions use the same limiter as sign-ins.',
  'esims routers': 'The eSIM engine stores the next check with the router whose row it has locked.',
  'router-state routers': 'The connection and the reported facts are columns in the row of the router.',
  'router-state devices': 'Connection and facts are copied to the row that lists read, by generated statements.',
  'rollouts router_events': 'Ends of steps are events of the router, written with the step.',
};

/** Tables that only triggers, functions or earlier versions write, with their domain. */
const READ_ONLY: Readonly<Record<string, string>> = {
  audit_cuts: 'logs',
  device_identifiers: 'devices',
  telemetry: 'router-state',
  telemetry_parameters: 'router-state',
};

const SOURCE = join('apps', 'server', 'src');
const DOMAINS = join(SOURCE, 'domains');
const SCHEMA = join(SOURCE, 'platform', 'ports', 'schema.generated.ts');

// Kysely's methods name the table first; raw SQL names it after the keyword. `copy` is how telemetry is written. A resource is declared,
// and so are the tables that end with an organization.
const WRITES = [
  /\bdefineResource\(\{\s*table: '(\w+)'/gu,
  /(?<=\b(?:tables|lastTables): \[[^\]]*)'(\w+)'/gu,
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

/** The domain of a file below `domains/`, such as `devices`. */
export const domainOf = (file: string): string => file.split('/')[0]!;

/** Comments mention tables too; only statements count. */
const withoutComments = (source: string): string => source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gmu, '');

/** Tables of the database that the files of domains name in such statements; tests are left out. */
function findAccess(patterns: readonly RegExp[]): { readonly file: string; readonly table: string }[] {
  const tables = new Set([...read(SCHEMA).matchAll(/^ {2}(\w+): \{/gmu)].map(([, table]) => table!));
  const files = tracked(`${DOMAINS}/**/*.ts`).filter((file) => !/\.test\.ts$|\/testing\//u.test(file));
  return files.flatMap((file) => {
    const source = withoutComments(read(file));
    const found = new Set(patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, table]) => table!)));
    return [...found].filter((table) => tables.has(table)).map((table) => ({ file: file.slice(DOMAINS.length + 1), table }));
  });
}

/** A key of `FOREIGN_WRITES`. */
export const accessOf = (file: string, table: string): string => `${domainOf(file)} ${table}`;

/** Every write of a domain. */
export const findWrites = (): { readonly file: string; readonly table: string }[] => findAccess(WRITES);

/** The domains that write each table, without the exceptions. Tables of the platform have none and are left out. */
export function findTableOwners(): ReadonlyMap<string, readonly string[]> {
  const owners = new Map(Object.entries(READ_ONLY).map(([table, domain]) => [table, [domain]]));
  for (const { file, table } of findWrites()) {
    const domain = domainOf(file);
    const known = owners.get(table) ?? [];
    if (FOREIGN_WRITES[accessOf(file, table)] === undefined && !known.includes(domain)) owners.set(table, [...known, domain]);
  }
  return owners;
}

/** Every read of a table that another domain writes. */
export function findForeignReads(): ForeignAccess[] {
  const owners = findTableOwners();
  return findAccess(READS).flatMap(({ file, table }) => {
    const [owner] = owners.get(table) ?? [];
    return owner === undefined || owner === domainOf(file) ? [] : [{ file, table, owner }];
  });
}
