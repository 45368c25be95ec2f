import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { root } from './toolchain.mjs';

const DOMAINS = 'apps/server/src/domains';

/** Types by which a function reaches the database. */
const DATABASE = /\b(?:Tx|Queries|Database|Reader|ReadRows|TimedReader)\b/u;

/** A scope, and values that are made from one: the signed-in actor, what one may do, a device, a job or a question within a scope. */
const SCOPE = /Scope\b|\bscope\b|\b(?:Within|Actor|Allowed|OwnDevice|OwnJob|RecordQuestion)\b/u;

/**
 * How many functions of stores and queries have no scope. They run before a scope is known (sign-in), for a router or a job, or on
 * ids that their caller resolved within a scope. The number may only shrink.
 */
const MOST_UNSCOPED = 88;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Declaration extends Node {
  readonly id?: { readonly name: string } | null;
  readonly params?: readonly Node[];
  readonly body?: Node | null;
}

/** Functions of a file that reach the database without a scope, and those that take one and do not use it. */
function findingsIn(file: string, source: string): { readonly unscoped: string[]; readonly unused: string[] } {
  const { program } = parseSync(file, source);
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const functions = program.body.flatMap((statement) => {
    const declaration = (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement) as Declaration | null;
    return declaration?.type === 'FunctionDeclaration' ? [{ declaration, isExported: declaration !== (statement as Node) }] : [];
  });
  const named = functions.map(({ declaration: { id, params = [], body }, isExported }) => {
    const parameters = params.map(textOf);
    const reaches = DATABASE.test(parameters.join(', '));
    const hasUnused = parameters.some((text) => isScope(text) && !namesOf(text).some((name) => usesOf(name, body, textOf)));
    return {
      name: id?.name ?? '',
      isUnscoped: isExported && reaches && !SCOPE.test(parameters.join(', ')),
      isUnused: reaches && hasUnused,
    };
  });
  return {
    unscoped: named.flatMap(({ name, isUnscoped }) => (isUnscoped ? [name] : [])),
    unused: named.flatMap(({ name, isUnused }) => (isUnused ? [name] : [])),
  };
}

/** Whether the type of a parameter is a scope. */
const isScope = (parameter: string): boolean => /:\s*(?:Organization|Main)?Scope\b[^:]*$/u.test(parameter);

/** The names that a parameter binds: itself, or those of its pattern, `{ organizationId: id }` binding `id`. */
function namesOf(parameter: string): string[] {
  const pattern = parameter.slice(0, parameter.lastIndexOf(':'));
  return Array.from(pattern.matchAll(/([\w$]+)\s*(?=[,}=]|$)/gu), ([, name]) => name!);
}

function usesOf(name: string, body: Node | null | undefined, textOf: (node: Node) => string): boolean {
  return (
    body !== null &&
    body !== undefined &&
    new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'u').test(textOf(body))
  );
}

test('functions of stores and queries take a scope; those without one only become fewer', () => {
  // Cells and their directory concern whole installations: a cell identifies itself by its own key.
  const all = globSync('**/*.{store,queries}.ts', { cwd: join(root, DOMAINS) }).toSorted();
  // A job works for every organization, so its statements have none.
  const files = all.filter((file) => !file.startsWith('cells/') && !file.endsWith('.job.queries.ts'));
  expect(files.length).toBeGreaterThan(40);
  const found = files.map((file) => ({ file, ...findingsIn(file, readFileSync(join(root, DOMAINS, file), 'utf8')) }));
  const unscoped = found.flatMap(({ file, unscoped: names }) => names.map((name) => `${file} ${name}`));
  const message = `Give a new function a Scope, or give one to an older function:\n${unscoped.join('\n')}`;
  expect(unscoped.length, message).toBeLessThanOrEqual(MOST_UNSCOPED);
  const unused = found.flatMap(({ file, unused: names }) => names.map((name) => `${file} ${name}`));
  expect(unused, 'Use the scope in SQL, or take the locked row, which has its organization, instead of it.').toEqual([]);
});

test('a scope that is only taken counts as none', () => {
  const unusedIn = (parameters: string, body: string) =>
    findingsIn('a.ts', `export async function f(${parameters}) { ${body} }`).unused.length === 1;
  expect(unusedIn('tx: Tx, _: Scope, id: string', 'await tx.remove(id)')).toBe(true);
  expect(unusedIn('tx: Tx, _scope: OrganizationScope', 'await tx.remove(1)')).toBe(true);
  expect(unusedIn('tx: Tx, scope: Scope', 'await other.scope(1, scopes)')).toBe(true);
  expect(unusedIn('tx: Tx, { organizationId: own }: OrganizationScope', 'await tx.remove({ organizationId: 1 })')).toBe(true);
  expect(unusedIn('tx: Tx, { organizationId: own }: OrganizationScope', 'await tx.remove(own)')).toBe(false);
  expect(unusedIn('tx: Tx, { mainAccountId, organizationId }: OrganizationScope', 'await tx.remove(organizationId)')).toBe(false);
  expect(unusedIn("tx: Tx, scope: Scope & { readonly kind: 'organization' }", 'await tx.remove(scope.organizationId)')).toBe(
    false,
  );
  expect(unusedIn('log: Log, _: Scope', 'log.info()')).toBe(false);
});
