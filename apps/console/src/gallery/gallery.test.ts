import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const read = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'));

/** Components that a source renders: `<Name`, not a type argument after another name. */
const rendered = (source: string) => [...source.matchAll(/(?<![\w.])<([A-Z]\w*)/gu)].map(([, name = '']) => name);
const exported = (source: string) => [...source.matchAll(/^export function ([A-Z]\w*)/gmu)].map(([, name = '']) => name);

test('every component of ui/ stands in the gallery, by itself or as a part of one that does', () => {
  const sources = read('ui/**/*.tsx');
  const components = sources.flatMap(exported);
  expect(components.length).toBeGreaterThan(30);
  // Its page is rendered by mount.tsx.
  const shown = new Set(read('{gallery/*,ui/mount}.tsx').flatMap(rendered));
  for (let before = -1; before !== shown.size;) {
    before = shown.size;
    for (const source of sources)
      if (exported(source).some((name) => shown.has(name))) for (const part of rendered(source)) shown.add(part);
  }
  expect(components.filter((name) => !shown.has(name))).toEqual([]);
});
