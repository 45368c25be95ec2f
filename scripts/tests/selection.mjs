// What of `npm test` the arguments choose.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root } from '../toolchain.mjs';

const ROW = /^[A-Z]{3,4}-\d{2}(?:-partial)?$/;

/** Names of the projects of Vitest and of Playwright, in the order of their configs. */
export function projects() {
  const namesIn = (file, pattern) => [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name]) => name);
  return {
    vitest: namesIn('vitest.config.ts', /^\s+project\('(\w+)'/gm),
    playwright: namesIn('playwright.config.ts', /\{ name: '(\w+)'/g),
  };
}

/** @param args the arguments of `npm test` */
export function choose(args) {
  const { values, positionals } = read(args);
  const rows = positionals.filter((word) => ROW.test(word));
  const paths = positionals.filter((word) => !ROW.test(word));
  for (const path of paths) if (!existsSync(join(root, path))) fail(`There is no ${path}.`);
  const all = projects();
  const only = values.only?.flatMap((names) => names.split(','));
  const known = ['check', ...new Set([...all.vitest, ...all.playwright])];
  for (const name of only ?? []) if (!known.includes(name)) fail(`--only ${name}: there are ${known.join(', ')}.`);
  const files = [...paths, ...(rows.length > 0 && paths.length === 0 ? filesNaming(rows) : [])];
  const isSome = positionals.length > 0;
  const of = (name, matches) => {
    const some = all[name].filter((project) => only?.includes(project));
    const own = files.filter(matches);
    if ((only !== undefined && some.length === 0) || (isSome && own.length === 0)) return undefined;
    return { projects: some, files: own };
  };
  const isWhole = !isSome && only === undefined && values.title === undefined && !values.changed;
  const now = values.now === undefined ? undefined : new Date(values.now);
  if (Number.isNaN(now?.getTime())) fail(`--now ${values.now} is no time; an example: --now 2027-02-28T23:30:00Z`);
  const playwright = of('playwright', isBrowserTest);
  return {
    vitest: of('vitest', (file) => !isBrowserTest(file)),
    playwright,
    check: isWhole || only?.includes('check') === true,
    build: playwright !== undefined || only !== undefined,
    isWhole,
    title: rows.length > 0 ? anyOf(rows) : values.title,
    isOnce: values.once,
    changed: values.changed,
    mayBeEmpty: values.changed || only?.every((name) => name === 'check') === true,
    now,
  };
}

function read(args) {
  const options = {
    only: { type: 'string', multiple: true },
    changed: { type: 'boolean', default: false },
    once: { type: 'boolean', default: false },
    title: { type: 'string', short: 't' },
    now: { type: 'string' },
  };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return fail(`${error.message}\nThe first lines of scripts/test.mjs list what npm test takes.`);
  }
}

const anyOf = (rows) => rows.map((row) => `\\b${row}`).join('|');

const isBrowserTest = (file) => /^(?:\.\/)?e2e(?:\/|$)/.test(file);

/** Test files with one of the rows in them. */
function filesNaming(rows) {
  const tests = ['*.test.ts', '*.test.tsx', '*.spec.ts'];
  try {
    const found = execFileSync('git', ['grep', '-lE', '--untracked', anyOf(rows), '--', ...tests], {
      cwd: root,
      encoding: 'utf8',
    });
    return found.trim().split('\n');
  } catch {
    return fail(`No test names ${rows.join(' or ')}.`);
  }
}
