// The temporary files of a run of tests are in one folder, which goes with what is left in it, also after a run that was killed.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from '../machine.mjs';
import { root } from '../toolchain.mjs';

const VARIABLE = 'HIGHLINE_TEST_FOLDER';
const NAME = /^highline-run-(\d+)-/;
/** What the runners and the browser leave, which is none of ours. */
const OF_OTHERS = /^(?:\.|playwright|chrom|org\.chromium|com\.|node-|v8-|snapshot)/i;

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function removeOfEndedRuns(parent) {
  for (const name of readdirSync(parent)) {
    const id = NAME.exec(name)?.[1];
    if (id !== undefined && !isRunning(Number(id))) remove(join(parent, name));
  }
}

/** From now on TMPDIR of this process, and of what it starts, is a folder that is removed when it exits. In a run that has one: nothing. */
export function useRunFolder() {
  if (process.env[VARIABLE] !== undefined) return;
  const parent = process.env.TMPDIR ?? memoryFolder() ?? tmpdir();
  removeOfEndedRuns(parent);
  const folder = mkdtempSync(join(parent, `highline-run-${process.pid}-`));
  // PostgreSQL is another user.
  chmodSync(folder, 0o755);
  Object.assign(process.env, { TMPDIR: folder, [VARIABLE]: folder });
  // What Playwright has translated is kept for the next run.
  process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR ??= join(root, '.cache', 'playwright');
  process.once('exit', () => remove(folder));
}

/** How many files and folders tests left in the folder of the run, by what their names begin with. */
export function countLeft() {
  const names = readdirSync(process.env[VARIABLE]).filter((name) => !OF_OTHERS.test(name));
  return Object.entries(Object.groupBy(names, (name) => name.replace(/-[^-]*$/, ''))).map(([kind, { length }]) => ({
    kind,
    count: length,
  }));
}
