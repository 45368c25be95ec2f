import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completeLinks } from './binaries.ts';

let folder: string;
const library = () => join(folder, 'native', 'lib');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'highline-links-'));
  mkdirSync(library(), { recursive: true });
  writeFileSync(join(library(), 'libpq.so.5.18'), 'code');
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({ source: 'native/lib/libpq.so.5.18', target: `native/lib/${name}` }));
  writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('missing library links are created, once, and nothing else', () => {
  completeLinks(folder);
  completeLinks(folder);
  expect(readdirSync(library()).sort()).toEqual(['libpq.so', 'libpq.so.5', 'libpq.so.5.18']);
  expect(readFileSync(join(library(), 'libpq.so.5'), 'utf8')).toBe('code');
});

test('links that cannot be created are named, with the remedy', () => {
  rmSync(library(), { recursive: true });
  writeFileSync(library(), 'not a folder');
  expect(() => completeLinks(folder)).toThrow(
    /lacks the link .*libpq\.so, and it cannot be created .*make node_modules writable/su,
  );
});
