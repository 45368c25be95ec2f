import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groups, inGroups } from './test-groups.mjs';
import { root } from './toolchain.mjs';

test('each file of a group exists, and is in one group only', () => {
  expect(inGroups.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(inGroups.toSorted()).toEqual([...new Set(inGroups)].toSorted());
});

test('each test that kills a process is in a group', () => {
  const kills = ['apps', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /kill\.(?:test|spec)\.ts$/u.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  expect(kills.length).toBeGreaterThan(3);
  expect(kills.filter((file) => !groups.processes.files.includes(file))).toEqual([]);
});

test('CI runs each group', () => {
  const run = readFileSync(join(root, '.ci', 'run'), 'utf8');
  for (const group of Object.keys(groups)) expect(run).toContain(`npm test -- --only ${group} `);
});
