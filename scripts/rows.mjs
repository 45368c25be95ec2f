// `node scripts/rows.mjs [--checklist | --beyond] [AREA …]`: the requirements of docs/spec that no test names. It reads only
// titles, and does not check the quality of a test.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, say } from './toolchain.mjs';

const ROW = /\b[A-Z]{3,4}-\d{2}\b/g;

/** Row IDs in the order of the lists; empty `areas`: all areas. */
function definedRows(lists, areas) {
  const text = lists.map((list) => readFileSync(join(root, 'docs', 'spec', list), 'utf8')).join('\n');
  const rows = [...new Set(text.match(ROW))];
  return rows.filter((row) => areas.length === 0 || areas.includes(row.split('-')[0]));
}

/** Every row ID that a test file of this checkout contains, `-partial` kept. */
function namedRows() {
  const files = ['*.test.ts', '*.test.tsx', '*.spec.ts', '*.spec.tsx'];
  try {
    const found = execFileSync('git', ['grep', '-hoE', '[A-Z]{3,4}-[0-9]{2}(-partial)?', '--', ...files], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    return new Set(found.split('\n'));
  } catch {
    return new Set();
  }
}

/**
 * Rows without a test.
 * @returns `defined`: number of rows checked; `missing`: those no test names completely, and whether one names it in part
 */
export function rowsWithoutTest(lists = ['CHECKLIST.md', 'BEYOND.md'], areas = []) {
  const rows = definedRows(lists, areas);
  const named = namedRows();
  const missing = rows.filter((row) => !named.has(row)).map((row) => ({ row, partial: named.has(`${row}-partial`) }));
  return { defined: rows.length, missing };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const lists = args.includes('--checklist') ? ['CHECKLIST.md'] : args.includes('--beyond') ? ['BEYOND.md'] : undefined;
  const { defined, missing } = rowsWithoutTest(
    lists,
    args.filter((word) => !word.startsWith('--')),
  );
  for (const { row, partial } of missing) say(`${row}  no test names it${partial ? ' as a whole (only in part)' : ''}`);
  say(`${defined - missing.length} of ${defined} rows are named by a test`);
}
