import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseLooks, concernsEveryScreen, describeChoice, looksOf } from './looks.ts';

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@highline.example', ...args], { cwd: folder });

/** Write files, and commit them unless `isOpen`. */
function change(files: readonly string[], isOpen = false): void {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${Math.random()}`);
  }
  if (isOpen) return;
  git('add', '.');
  git('commit', '-q', '-m', 'test: files');
}

describe('which files decide', () => {
  test.each([
    ['apps/console/src/ui/Menu.tsx', true],
    ['apps/console/src/ui/table/Added.tsx', true],
    ['apps/console/src/ui/Menu.test.tsx', false],
    ['apps/console/src/domains/logs/logs.css', true],
    ['apps/console/src/domains/logs/logs.zh-TW.ts', true],
    ['apps/console/src/domains/logs/LogList.tsx', false],
    ['apps/console/account.html', true],
    ['apps/server/src/main.ts', false],
    ['package-lock.json', true],
    ['e2e/looks.spec.ts', true],
    ['docs/operations.md', false],
  ])('%s concerns every screen: %s', (file, expected) => {
    expect(concernsEveryScreen(file)).toBe(expected);
  });
});

describe('which looks a run examines', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'highline-looks-'));
    git('init', '-q', '-b', 'main');
    change(['README.md', 'apps/console/src/ui/Menu.tsx', 'apps/console/src/domains/logs/logs.css']);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('all of them for a change that is not committed or not added yet', () => {
    change(['docs/operations.md']);
    expect(chooseLooks(folder, undefined).isAll).toBe(false);
    change(['apps/console/src/ui/Added.tsx'], true);
    expect(chooseLooks(folder, undefined)).toMatchObject({
      isAll: true,
      reason: 'apps/console/src/ui/Added.tsx changed since HEAD~1',
    });
  });

  test('a branch counts since it left main, main itself by its last commit or merge', () => {
    git('checkout', '-q', '-b', 'menu');
    change(['apps/console/src/ui/Menu.tsx']);
    change(['docs/operations.md']);
    expect(chooseLooks(folder, undefined).isAll).toBe(true);
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '--no-edit', 'menu');
    expect(chooseLooks(folder, undefined).isAll).toBe(true);
    change(['docs/operations.md']);
    expect(chooseLooks(folder, undefined).isAll).toBe(false);
    expect(chooseLooks(folder, 'HEAD~2').isAll).toBe(true);
  });

  test('all of them on request, without a repository, without its history, and for the first commit', () => {
    expect(chooseLooks(folder, undefined)).toMatchObject({ isAll: true, reason: 'no commit HEAD~1 to compare with' });
    change(['docs/operations.md']);
    expect(chooseLooks(folder, 'all')).toMatchObject({ isAll: true, reason: 'HIGHLINE_E2E_LOOKS=all' });
    const copy = join(folder, 'copy');
    git('clone', '-q', '--depth', '1', `file://${folder}`, copy);
    expect(chooseLooks(copy, undefined)).toMatchObject({ isAll: true, reason: 'the history is not there' });
    rmSync(join(folder, '.git'), { recursive: true });
    expect(chooseLooks(folder, undefined)).toMatchObject({ isAll: true, reason: 'the history is not there' });
  });
});

describe('the looks of a screen', () => {
  const names = (screen: string, commit: string) => looksOf(screen, { isAll: false, commit }).map(({ name }) => name);

  test('all of them pair each language, scheme and width with each', () => {
    const all = looksOf('logs', { isAll: true, commit: '' });
    const pairs = all.flatMap(({ language, scheme, width }) => [
      `${language} ${scheme}`,
      `${language} ${width}`,
      `${scheme} ${width}`,
    ]);
    expect([all.length, new Set(pairs).size]).toEqual([4, 12]);
  });

  test('one commit always chooses the same, of about half of the screens; over many commits each screen is seen in each look', () => {
    expect(names('logs', 'c0ffee')).toEqual(names('logs', 'c0ffee'));
    const ofScreens = Array.from({ length: 60 }, (_, index) => names(`screen-${index}`, 'c0ffee'));
    expect(ofScreens.filter(({ length }) => length === 2).length).toBeGreaterThan(20);
    expect(ofScreens.filter(({ length }) => length === 1).length).toBeGreaterThan(20);
    const ofCommits = Array.from({ length: 60 }, (_, index) => names('logs', `c0ffee${index}`));
    expect(new Set(ofCommits.map(([one]) => one))).toEqual(new Set(['en-US, light, 1440 px']));
    expect(new Set(ofCommits.map(([, other]) => other)).size).toBe(4);
  });

  test('the choice is a sentence', () => {
    expect(describeChoice({ isAll: true, reason: 'HIGHLINE_E2E_LOOKS=all', commit: '' })).toBe(
      'Looks: all four (HIGHLINE_E2E_LOOKS=all).',
    );
  });
});
