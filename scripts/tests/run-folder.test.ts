import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../toolchain.mjs';

test('the folder of a run goes with it, and that of a killed one with the next run', () => {
  const parent = mkdtempSync(join(tmpdir(), 'highline-runs-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const run = (more: string) => {
    const program = `import { useRunFolder } from './scripts/tests/run-folder.mjs';
      import { mkdtempSync } from 'node:fs'; import { tmpdir } from 'node:os';
      useRunFolder(); mkdtempSync(tmpdir() + '/left-'); ${more}`;
    const { HIGHLINE_TEST_FOLDER: _own, ...env } = process.env;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      env: { ...env, TMPDIR: parent },
      encoding: 'utf8',
    }).stdout;
  };
  run(`process.kill(process.pid, 'SIGKILL')`);
  expect(readdirSync(parent)).toHaveLength(1);
  expect(run(`console.log(tmpdir())`)).toContain(parent);
  expect(readdirSync(parent)).toEqual([]);
});
