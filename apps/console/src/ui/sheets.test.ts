import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({
    file,
    rules: readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*.*?\*\//gsu, ''),
  }));

/** The selectors of a sheet, one by one; those of keyframes and of conditions are none. */
function selectorsOf(rules: string): string[] {
  return [...rules.matchAll(/([^{}]+)\{/gu)]
    .map((match) => (match[1] ?? '').trim())
    .filter((selector) => !/^@|^(?:to|from)$|%$/u.test(selector))
    .flatMap((selector) => selector.split(/,(?![^()]*\))/u))
    .map((selector) => selector.trim());
}
const classesOf = (selector: string) => [...selector.matchAll(/\.([\w-]+)/gu)].map((match) => match[1] ?? '');

describe('sheets', () => {
  // A room's sheet comes with its first screen and stays: what it says of others would depend on where a person went before.
  test("a room's sheet styles what is its own, and nothing of the whole console", () => {
    const shared = new Set(read('{ui,app}/**/*.css').flatMap(({ rules }) => selectorsOf(rules).flatMap(classesOf)));
    const domainSheets = read('domains/**/*.css');
    expect(domainSheets.length).toBeGreaterThan(10);
    const foreign = domainSheets.flatMap(({ file, rules }) =>
      selectorsOf(rules)
        .filter((selector) => classesOf(selector).every((name) => shared.has(name)))
        .map((selector) => `${file}: ${selector}`),
    );
    expect(foreign).toEqual([]);
  });
});
