import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './toolchain.mjs';

const decisions = join(root, 'docs', 'decisions');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Number, title and date of a record, from its first lines. */
function headOf(file: string): { number: string; title: string; status: string; date: string } {
  const [heading = '', , status = ''] = readFileSync(join(decisions, file), 'utf8').split('\n');
  const [, number = '', title = ''] = /^# (\d{4}) (.+)$/u.exec(heading) ?? [];
  const [, state = '', date = ''] = /^(.+) · (\d{4}-\d{2}-\d{2})$/u.exec(status) ?? [];
  return { number, title, status: state.toLowerCase(), date };
}

test('the index lists every decision with its number, title, status and date', () => {
  const records = readdirSync(decisions)
    .filter((file) => /^\d{4}-/u.test(file))
    .toSorted();
  const expected = records.map((file) => {
    const { number, title, status, date } = headOf(file);
    return `| [${number}](${file}) | ${title} | ${status} | ${date} |`;
  });
  const listed = read('docs/decisions/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['));
  expect(listed).toEqual(expected);
});

test('a decision begins with its number, which is that of its file', () => {
  const records = readdirSync(decisions).filter((file) => /^\d{4}-/u.test(file));
  expect(records.filter((file) => headOf(file).number !== file.slice(0, 4))).toEqual([]);
});

/** Paths of the module map of docs/ARCHITECTURE.md, from its indentation; folders end with a slash. */
function mappedPaths(): string[] {
  const [, map = ''] = /```\n([\s\S]+?)```/u.exec(read('docs/ARCHITECTURE.md')) ?? [];
  const parents: string[] = [];
  return map.split('\n').flatMap((line) => {
    const [, indent = '', name] = /^( *)([\w./-]+)/u.exec(line) ?? [];
    // A deeper line without a folder above it continues a description.
    if (name === undefined || indent.length > parents.length * 2) return [];
    parents.length = indent.length / 2;
    parents.push(name);
    return [parents.join('')];
  });
}

test('every entry of the module map exists', () => {
  expect(mappedPaths().length).toBeGreaterThan(60);
  expect(mappedPaths().filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  'packages',
  'apps/server/src',
  'apps/server/src/domains',
  'apps/server/src/transport',
  'apps/server/src/platform',
  'apps/console/src',
])('the module map lists every folder of %s', (parent) => {
  const folders = readdirSync(join(root, parent), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const mapped = new Set(mappedPaths());
  expect(folders.map(({ name }) => `${parent}/${name}/`).filter((folder) => !mapped.has(folder))).toEqual([]);
});

test('every package, the chart and the newest entry of the change log have the version of the root, which footer, /healthz and release show', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const packages = globSync('{apps,packages}/*/package.json', { cwd: root });
  const versions = ['bench/package.json', ...packages].map((file) => [
    file,
    (JSON.parse(read(file)) as { version: string }).version,
  ]);
  const chart = read('packaging/helm/highline/Chart.yaml');
  versions.push(['version of the chart', /^version: (.+)$/mu.exec(chart)?.[1] ?? '']);
  versions.push(['program of the chart', /^appVersion: (.+)$/mu.exec(chart)?.[1] ?? '']);
  versions.push(['CHANGELOG.md', /^## (\d\S*) · \d{4}-\d{2}-\d{2}$/mu.exec(read('CHANGELOG.md'))?.[1] ?? '']);
  expect(versions.filter(([, found]) => found !== version)).toEqual([]);
});
