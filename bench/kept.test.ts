import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { keepTables, listFalls, readKept } from './kept.ts';
import type { Figure, Table } from './table.ts';

const table = (figure: Partial<Figure>): Table[] => [
  { title: 'Lists', figures: [{ name: 'first page', unit: 'ms', ours: [3, 20], ...figure }], notes: [] },
];

function folder(): URL {
  const made = mkdtempSync(join(tmpdir(), 'kept-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return pathToFileURL(join(made, 'kept.json'));
}

/** What a run shows after runs with these figures were kept. */
function fallsAfter(kept: readonly Partial<Figure>[], run: Partial<Figure>): readonly string[] {
  const file = folder();
  for (const figure of kept) keepTables(table(figure), new Date('2026-11-27T06:00:00Z'), file);
  const { compared, falls } = listFalls(table(run), readKept(file));
  expect(compared).toBe(Math.sign(kept.length));
  return falls;
}

test('a figure that is worse than every kept one beyond their noise is named with the last of them', () => {
  expect(fallsAfter([{ ours: [3] }, { ours: [3.5] }], { ours: [3.9] })).toEqual([
    'Lists: first page: 3.9 ms, on 2026-11-27 3.5 ms',
  ]);
  expect(fallsAfter([{ ours: [3] }, { ours: [3.5] }], { ours: [3.8] })).toEqual([]);
  expect(fallsAfter([{ ours: [3] }], { ours: [3.7] })).toEqual([]);
});

test('rates fall when they are lower, and a figure with a ceiling by its ratio to it', () => {
  expect(fallsAfter([{ unit: '/s', ours: [100_000] }], { unit: '/s', ours: [70_000] })).toHaveLength(1);
  expect(fallsAfter([{ unit: '/s', ours: [100_000] }], { unit: '/s', ours: [130_000] })).toEqual([]);
  // A machine half as fast.
  expect(fallsAfter([{ ours: [3], raw: [1] }], { ours: [6], raw: [2] })).toEqual([]);
  expect(fallsAfter([{ ours: [3], raw: [1] }], { ours: [6], raw: [1] })).toEqual([
    'Lists: first page: 6.0 ms (ceiling 1.0 ms), on 2026-11-27 3.0 ms (ceiling 1.0 ms)',
  ]);
});

test('what was never kept is not compared, and five runs of a figure are kept', () => {
  expect(fallsAfter([], { ours: [300] })).toEqual([]);
  expect(fallsAfter([{ ours: [9] }, ...Array.from({ length: 5 }, () => ({ ours: [3] }))], { ours: [9] })).toHaveLength(1);
});
