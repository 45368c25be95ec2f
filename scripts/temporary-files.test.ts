import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './toolchain.mjs';

const sources = ['apps', 'bench', 'e2e', 'packages', 'scripts'].flatMap((folder) => [`${folder}/**/*.ts`, `${folder}/**/*.tsx`]);
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', ...sources.map((glob) => `:(glob)${glob}`)],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n');
const isOfTests = (file: string) => /\.(?:test|spec)\.tsx?$|\/testing\/|^(?:e2e|bench|scripts)\//u.test(file);
const texts = files.filter(isOfTests).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

test('what makes a temporary folder for a test also removes one', () => {
  const making = texts.filter(({ text }) => /\bmkdtemp(?:Sync)?\(/u.test(text));
  expect(making.length).toBeGreaterThan(50);
  expect(making.filter(({ text }) => !/\brm(?:Sync)?\(/u.test(text)).map(({ file }) => file)).toEqual([]);
});

test('temporary files of tests are below the folder of the run, not in /tmp by name', () => {
  const named = /[`'"]\/tmp\/[^`'"]*(?:\$\{|[`'"] *\+)/u;
  expect(texts.filter(({ text }) => named.test(text)).map(({ file }) => file)).toEqual([]);
});
