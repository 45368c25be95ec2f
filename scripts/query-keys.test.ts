import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { type Node, visitNode } from './local-functions.ts';
import { root } from './toolchain.mjs';

/** The expression of a property of an object. */
function valueOf(object: Node, name: string): Node | undefined {
  const properties = object['properties'] as readonly Node[];
  const found = properties.find(({ key }) => (key as Node | undefined)?.['name'] === name);
  const value = found?.['value'] as Node | undefined;
  return value?.type === 'TSAsExpression' ? (value['expression'] as Node) : value;
}

/** A query key with `*` for each part that is no literal: another id is another key, a key of another query is not. */
const keyOf = (elements: readonly Node[]) =>
  elements.map((part) => (part.type === 'Literal' ? JSON.stringify(part['value']) : '*')).join(', ');

/** The keys of the queries in a source. */
function queryKeysOf(file: string, source: string): string[] {
  const keys: string[] = [];
  visitNode(parseSync(file, source).program, (node) => {
    if (node.type !== 'ObjectExpression' || valueOf(node, 'queryFn') === undefined) return;
    const key = valueOf(node, 'queryKey');
    if (key?.type === 'ArrayExpression') keys.push(keyOf(key['elements'] as readonly Node[]));
  });
  return keys;
}

test('no two queries have the same key: one would show what the other has fetched', () => {
  const files = globSync('apps/console/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/u.test(file));
  const keys = files.flatMap((file) => queryKeysOf(file, readFileSync(join(root, file), 'utf8')).map((key) => ({ file, key })));
  expect(keys.length).toBeGreaterThan(100);
  const byKey = Map.groupBy(keys, ({ key }) => key);
  expect([...byKey.values()].filter(({ length }) => length > 1)).toEqual([]);
});
