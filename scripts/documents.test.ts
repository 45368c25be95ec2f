import { expect, test } from 'vitest';
import { falseClaimsIn, unnamedVariables, type Facts } from './documents.mjs';

const present = new Set(['docs/guide.md', 'docs/other.md', 'apps/server/src/main.ts']);
const facts: Facts = {
  files: [...present],
  read: () => '# Files in S3\n',
  exists: (path) => present.has(path),
  scripts: new Set(['start', 'bench']),
  groups: new Set(['nodes']),
  sections: new Set(['devices', 'sign-in']),
  names: new Set(['PUBLIC_URL', 'useList', 'highline_serve']),
  metrics: new Set(['nodes']),
  labels: "title: 'select all # that match', open: 'data use'",
};
const guide = 'docs/user-guide.md';

test.each([
  [
    'a path',
    'See `apps/server/src/main.ts` and `apps/server/src/gone.ts`.',
    ['apps/server/src/gone.ts', 'the file apps/server/src/gone.ts'],
  ],
  ['a file by its end', 'See `src/main.ts`, `main.ts` and `gone.test.ts`, but not `*.test.ts`.', ['the file gone.test.ts']],
  ['a script', '`npm start`, `npm run -s bench -- devices`, `npm run gone`', ['npm run gone']],
  ['a part of the tests', 'npm test -- --only nodes; npm test -- --only gone', ['the part of the tests gone']],
  ['a section of the benchmarks', '`npm run bench -- devices|gone|sign-in`', ['the section gone of npm run bench']],
  ['a variable', '`PUBLIC_URL=…` and GONE_URL, but not RFC or --GONE_X', ['the variable GONE_URL']],
  ['a name of the code', '`useList()` and `useGone`, but not `curl`', ['useGone in code']],
  ['a metric', '`highline_nodes`, `highline_gone_total`; the role `highline_serve`', ['the metric highline_gone_total']],
])('%s that does not exist is named', (_, text, names) => {
  expect(falseClaimsIn('docs/guide.md', text, facts)).toEqual(
    names.map((name) => `docs/guide.md names ${name}, which does not exist.`),
  );
});

test('a label of the user guide is one of the console, with any number and without points of omission', () => {
  const text = '*Select all 1,204 that match*, **A paragraph.** *Data Use → …*, *Gone*, `*code*`';
  expect(falseClaimsIn(guide, text, facts)).toEqual([`${guide} names *Gone* in the console, which does not exist.`]);
  expect(falseClaimsIn('docs/guide.md', text, facts)).toEqual([]);
});

test('a link leads to a file, and to a heading of it', () => {
  const text = '[a](other.md#files-in-s3) [b](#here) [c](gone.md) [d](other.md#gone) [e](https://example.com/gone)\n## Here\n';
  expect(falseClaimsIn('docs/guide.md', text, facts)).toEqual([
    'docs/guide.md links to gone.md, which does not exist.',
    'docs/guide.md links to other.md#gone, and there is no such heading.',
  ]);
});

test('decisions may name what was not used', () => {
  expect(falseClaimsIn('docs/decisions/0001-a.md', '`useGone`', facts)).toEqual([]);
});

test('a variable that a program reads is named by a document, or listed with a reason', () => {
  const code = "process.env.NAMED + process.env['LISTED'] + process.env['FORGOTTEN']";
  const without = new Map([
    ['LISTED', 'of the system'],
    ['STALE', 'of the system'],
  ]);
  expect(unnamedVariables(code, '`NAMED=1`', without)).toEqual([
    'No document names the variable FORGOTTEN. Say what it does, or list it in scripts/documents.mjs with the reason.',
    'No program reads the variable STALE any more. Delete it from scripts/documents.mjs.',
  ]);
});
