import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAnswerFaults } from './scale.ts';

/** A bound for what hangs. */
const TIMEOUT_MS = 1_800_000;

/** The rows of a table in Markdown, as cells. */
const tableRows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test('NOD-05-partial each list, file and figure of 5,000 devices is as SQL has it', { timeout: TIMEOUT_MS }, async () => {
  expect(await findAnswerFaults(5_000)).toEqual([]);
});

test('NOD-05 the sizing page says of each figure whether it was measured or computed; npm run bench -- scale compares a million devices with SQL', async () => {
  const [header, , ...sizes] = tableRows(await readFile(join(import.meta.dirname, '../docs/sizing.md'), 'utf8'));
  expect(header!.slice(1, 5)).toEqual(['1,000', '10,000', '100,000', '1,000,000']);
  expect(sizes.length).toBeGreaterThan(5);
  for (const cells of sizes) expect(cells.at(-1), cells[0]).toMatch(/^[mc]: /u);
});
