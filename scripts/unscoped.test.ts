import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { root } from './toolchain.mjs';

const DOMAINS = 'apps/server/src/domains';

/** Types by which a function reaches the database. */
const DATABASE = /\b(?:Tx|Queries|Database|Reader|ReadRows|TimedReader)\b/u;

/** A scope, and values that are made from one: the signed-in actor, a device, a job or a question within a scope. */
const SCOPE = /Scope\b|\bscope\b|\b(?:Within|Actor|OwnDevice|OwnJob|RecordQuestion)\b/u;

/**
 * How many functions of stores and queries have no scope. They run before a scope is known (sign-in), for a router or a job, or on
 * ids that their caller resolved within a scope. The number may only shrink.
 */
const MOST_UNSCOPED = 87;

interface Declaration {
  readonly type: string;
  readonly id?: { readonly name: string } | null;
  readonly params?: readonly { readonly start: number; readonly end: number }[];
}

/** Exported functions of a file that reach the database without a scope. */
function unscopedIn(file: string): string[] {
  const source = readFileSync(join(root, DOMAINS, file), 'utf8');
  const { program } = parseSync(file, source);
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const declaration = statement.declaration as Declaration | null;
    if (declaration?.type !== 'FunctionDeclaration') return [];
    const parameters = (declaration.params ?? []).map(({ start, end }) => source.slice(start, end)).join(', ');
    return DATABASE.test(parameters) && !SCOPE.test(parameters) ? [declaration.id?.name ?? ''] : [];
  });
}

test('functions of stores and queries take a scope; those without one only become fewer', () => {
  // Cells and their directory concern whole installations: a cell identifies itself by its own key.
  const all = globSync('**/*.{store,queries}.ts', { cwd: join(root, DOMAINS) }).toSorted();
  // A job works for every organization, so its statements have none.
  const files = all.filter((file) => !file.startsWith('cells/') && !file.endsWith('.job.queries.ts'));
  expect(files.length).toBeGreaterThan(40);
  const unscoped = files.flatMap((file) => unscopedIn(file).map((name) => `${file} ${name}`));
  const message = `Give a new function a Scope, or give one to an older function:\n${unscoped.join('\n')}`;
  expect(unscoped.length, message).toBeLessThanOrEqual(MOST_UNSCOPED);
});
