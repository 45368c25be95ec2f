import { stripTypeScriptTypes } from 'node:module';
import { expect, it } from 'vitest';
import { choose, sitesOf, withMutants } from './sites.ts';

const file = 'apps/server/src/domains/a.ts';
const source = `
const most: 3 = 3;
export function take(list: readonly number[], full = false): number[] {
  if (list.length < most && !full) list.push(1);
  note(list);
  return list.filter((one) => one >= 2);
}
function note(list: readonly number[]) {}
`;

/** The results of `take([1, 2])` with each mutant active in turn. */
function results(mutants: ReturnType<typeof choose>['mutants']): string[] {
  const javaScript = stripTypeScriptTypes(withMutants({ file, source }, mutants, -1)).replace('export', '');
  // oxlint-disable-next-line typescript/no-implied-eval -- the source above
  const run = new Function('activeMutant', `globalThis.activeMutant = activeMutant; ${javaScript}; return take([1, 2]);`);
  return mutants.map(({ id }) => JSON.stringify(run((active: number) => active === id)));
}

it('finds changes of what runs, not of types, and makes one at a time', () => {
  const { mutants } = choose([{ file, source }], 1, 100);
  const changes = mutants.map(({ kind, original, mutated }) => `${kind}: ${original} → ${mutated}`);
  expect(changes.toSorted()).toEqual([
    'boundary: list.length < most → (list.length) <= (most)',
    'boundary: one >= 2 → (one) > (2)',
    'call: list.push(1); → ',
    'call: note(list); → ',
    'condition: list.length < most && !full → !(list.length < most && !full)',
    'literal: 1 → 0',
    'literal: 2 → 2 + 1',
    'literal: 3 → 3 + 1',
    'literal: false → true',
    'operator: list.length < most && !full → (list.length < most) || (!full)',
    'return: list.filter((one) => one >= 2) → (undefined)',
  ]);
  expect(new Set(results(mutants))).toEqual(new Set(['[2]', '[]', undefined]));
  expect(mutants.filter(({ isStatic }) => isStatic).map(({ original }) => original)).toEqual(['3']);
});

it('chooses the same changes again where the source is the same', () => {
  const names = (text: string) =>
    choose([{ file, source: text }], 1, 5).mutants.map(({ original, mutated }) => `${original} → ${mutated}`);
  expect(names(`// A comment.\n${source}`)).toEqual(names(source));
  expect(sitesOf(file, 'type A = 1;')).toEqual([]);
});
