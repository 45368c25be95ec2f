import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../toolchain.mjs';

interface Part {
  readonly files: readonly string[];
  readonly projects: readonly string[];
}

interface Choice {
  readonly vitest?: Part;
  readonly playwright?: Part;
  readonly check: boolean;
  readonly isWhole: boolean;
  readonly title?: string;
}

function choose(...args: string[]): Choice | string {
  const program = `import { choose } from './scripts/tests/selection.mjs'; console.log(JSON.stringify(choose(process.argv.slice(1))))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, '--', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? (JSON.parse(stdout) as Choice) : stderr;
}

test('without arguments everything is run', () => {
  const whole = { files: [], projects: [] };
  expect(choose()).toMatchObject({ vitest: whole, playwright: whole, check: true, isWhole: true });
});

test('a row chooses the files that name it, and a runner only where one of its files does', () => {
  const choice = choose('USP-01') as Choice;
  expect(choice).toMatchObject({ check: false, isWhole: false, title: '\\bUSP-01' });
  const files = [choice.vitest, choice.playwright].flatMap((part) => part?.files ?? []);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(join(root, file), 'utf8')).toContain('USP-01');
  // Not written whole, since this file would name it.
  const unknown = ['XYZ', '00'].join('-');
  expect(choose(unknown)).toContain(`No test names ${unknown}`);
});

test('a file or a folder goes to its runner; one that does not exist is rejected', () => {
  expect(choose('e2e')).toMatchObject({ playwright: { files: ['e2e'] } });
  expect(choose('e2e')).not.toHaveProperty('vitest');
  expect(choose('packages/usp')).not.toHaveProperty('playwright');
  expect(choose('packages/gone')).toContain('There is no packages/gone.');
});

test('a part is a project of one runner or of both; another name is rejected', () => {
  expect(choose('--only', 'nodes,check')).toMatchObject({ vitest: { projects: ['nodes'] }, check: true });
  expect(choose('--only', 'nodes')).not.toHaveProperty('playwright');
  expect(choose('--only', 'processes')).toMatchObject({ playwright: { projects: ['processes'] } });
  expect(choose('--only', 'gone')).toContain('--only gone: there are check, ');
});
