import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({
    file,
    rules: readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*.*?\*\//gsu, ''),
  }));

/** The selectors of a stylesheet, without those of keyframes and at-rules. */
function selectorsOf(rules: string): string[] {
  return [...rules.matchAll(/([^{}]+)\{/gu)]
    .map((match) => (match[1] ?? '').trim())
    .filter((selector) => !/^@|^(?:to|from)$|%$/u.test(selector))
    .flatMap((selector) => selector.split(/,(?![^()]*\))/u))
    .map((selector) => selector.trim());
}
const classesOf = (selector: string) => [...selector.matchAll(/\.([\w-]+)/gu)].map((match) => match[1] ?? '');

/** What scrolls in dialogs, forms and menus, and what is not printed. */
const ofScreen = [
  '.form-foot__effect',
  '.geofence-form',
  '.hook-body',
  '.hook-events__list',
  '.import-effect__rows',
  '.log-entry__stored',
  '.options__list',
  '.player__screen',
  '.popup',
  '.replay__moments',
  '.scopes__list',
  '.setting-example',
  '.sidebar',
  '.tabs',
  '.template-table',
  '.tool-log',
  '.usage-effects ul',
];

describe('sheets', () => {
  // A domain's stylesheet is loaded with its first screen and stays: rules for other elements would depend on the visited screens.
  test("a domain's stylesheet styles only its own elements, and nothing of the whole console", () => {
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

  test('SAY-12-partial what scrolls on a page is whole on paper', () => {
    const PRINT = /@media print \{(.*?)\n\}/gsu;
    const withOverflow = (rules: string, values: RegExp) =>
      [...rules.matchAll(/([^{}]+)\{([^{}]*)\}/gu)].flatMap(([, selector = '', declared = '']) =>
        values.test(declared) ? selectorsOf(`${selector}{`) : [],
      );
    const sheets = read('{ui,app,domains,entities}/**/*.css');
    const whole = new Set(
      sheets.flatMap(({ rules }) =>
        [...rules.matchAll(PRINT)].flatMap(([, printed = '']) => withOverflow(printed, /overflow: visible/u)),
      ),
    );
    const scrolling = sheets.flatMap(({ rules }) =>
      withOverflow(rules.replaceAll(PRINT, ''), /overflow(?:-[xy])?:[^;]*(?:auto|scroll)/u),
    );
    expect(scrolling.filter((selector) => !whole.has(selector)).sort()).toEqual(ofScreen);
  });

  test('every custom property that a stylesheet reads without a default is defined', () => {
    const sources = read('**/*.{css,ts,tsx}');
    const defined = new Set(
      sources.flatMap(({ rules }) => [...rules.matchAll(/(--[\w-]+)['"\]]*\s*:/gu)].map(([, name]) => name)),
    );
    const undefinedOnes = read('**/*.css').flatMap(({ file, rules }) =>
      [...rules.matchAll(/var\((--[\w-]+)\)/gu)].flatMap(([, name]) => (defined.has(name) ? [] : [`${file}: ${name}`])),
    );
    expect(undefinedOnes).toEqual([]);
  });
});
