import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findSlowExpressions } from './slow-expressions.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const SOURCES = ['apps/server/src', 'apps/router/src', 'packages/contract/src', 'packages/usp/src', 'packages/image/src'];

/** Expressions that are not linear, by file and literal, each with the reason why its text has at most 1,000 characters. */
const BOUNDED: Readonly<Record<string, string>> = {
  'apps/server/src/platform/settings/variables.ts /^[^\\r\\n]*[^\\s@<]+@[^\\s@>]+>?$/u': 'the setting has at most 320 characters',
  'apps/server/src/platform/calls/attachment.ts /^[. ]+|[. ]+$/gu': 'the name was cut to 100 characters before',
  'apps/router/src/remote/shell/line-editor.ts /\\S*\\s*$/u': 'a line has at most 512 characters',
  'apps/router/src/remote/shell/line-editor.ts /\\S*$/u': 'a line has at most 512 characters',
  "packages/contract/src/openapi/examples.ts new RegExp(pattern, 'u')":
    'patterns of the contract, tried on the short texts of that file when the description is made',
  "apps/server/src/platform/csv/copied-lines.ts new RegExp(`${groups.join(',')}\\\\n`, 'iy')":
    'made of three patterns of that file, of which none matches a comma or a line end, where each of them ends',
  'apps/server/src/platform/tables/cell-text.ts /"[^"]*"|\\\\.|\\[[^\\]]*\\]|[_*]./gu':
    'the format was cut to 500 characters before',
  'apps/server/src/domains/properties/property-key.ts /^_+|_+$/gu': 'the key was cut to 40 characters before',
};

const slow = SOURCES.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()
  .flatMap((file) => findSlowExpressions(file, readFileSync(root + file, 'utf8')));

test('every regular expression takes linear time, or its text is at most 1,000 characters', () => {
  const sentences = slow
    .filter(({ file, expression }) => BOUNDED[`${file} ${expression}`] === undefined)
    .map(
      ({ file, line, expression, problem }) =>
        `${file}:${line}: ${expression} ${problem}. Rewrite it, or shorten its text to 1,000 characters first and add it to BOUNDED.`,
    );
  expect(sentences.join('\n')).toBe('');
});

test('every bound belongs to an existing expression', () => {
  const present = new Set(slow.map(({ file, expression }) => `${file} ${expression}`));
  expect(Object.keys(BOUNDED).filter((key) => !present.has(key))).toEqual([]);
});

const problems = (source: string) => findSlowExpressions('example.ts', source).map(({ problem }) => problem);

test.each([
  [String.raw`const a = /\.+$/u;`, 'takes quadratic time on some text'],
  [String.raw`text.replaceAll(/^\s+|\s+$/gu, '');`, 'takes quadratic time on some text'],
  [String.raw`const a = /^(?:a+)+$/u;`, 'takes exponential time on some text'],
  [String.raw`const a = /^\d+\d+x$/u;`, 'takes quadratic time on some text'],
  ['const a = new RegExp(text);', 'is built at run time, so that its time is not known'],
])('is found: %s', (source, problem) => expect(problems(source)).toEqual([problem]));

test.each([
  [String.raw`const a = /^\.+$/u;`],
  [String.raw`text.replaceAll(/\s+/gu, ' ');`],
  [String.raw`const a = /[?&](?:vap|reset)=[^&#\s]*/giu;`],
  [String.raw`const a = /^-?\d+(?:\.\d+)?$/u;`],
])('is linear: %s', (source) => expect(problems(source)).toEqual([]));
