import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withMutants, type Mutant, type Source } from './sites.ts';

/** What is changed: code that we wrote, without its tests. */
const AREAS: Readonly<Record<string, string>> = {
  'server domains': 'apps/server/src/domains/',
  'server transport': 'apps/server/src/transport/',
  'console domains': 'apps/console/src/domains/',
  'console ui': 'apps/console/src/ui/',
  'console api': 'apps/console/src/api/',
};

export const areas = Object.keys(AREAS);

export const areaOf = (file: string): string => areas.find((area) => file.startsWith(AREAS[area]!))!;

function succeed(program: string, args: readonly string[], cwd: string): string {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 27 });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

const filesOf = (root: string): string[] =>
  succeed('git', ['ls-files', '--cached', '--others', '--exclude-standard'], root)
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

export function sourcesOf(root: string): Source[] {
  return filesOf(root)
    .filter((file) => areaOf(file) !== undefined && /(?<!\.(?:test|gallery|d))\.tsx?$/u.test(file))
    .toSorted()
    .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));
}

/** Tests of our tools run none of what is changed, but for hours. */
export const testsOf = (root: string): string[] =>
  filesOf(root).filter((file) => /^(?:apps|packages)\/.*\.test\.tsx?$|^e2e\/.*\.spec\.ts$/u.test(file));

/** A copy of a checkout with all mutants in it, and its console. */
export function prepare(root: string, copy: string, mutants: readonly Mutant[]): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const files = filesOf(root);
  for (const file of files) cpSync(join(root, file), join(copy, file));
  // Links instead of copies; no run writes to a file of a package.
  succeed('cp', ['-al', join(root, 'node_modules'), copy], root);
  for (const cache of ['.cache', '.vite']) rmSync(join(copy, 'node_modules', cache), { recursive: true, force: true });
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  [...byFile].forEach(([file, some], index) => {
    const source = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(copy, file), withMutants({ file, source }, some, -1 - index));
  });
  edit(join(copy, 'apps/console/vite.config.ts'), (text) => text.replace('withinBudget()', 'null'));
  for (const file of files.filter((name) => /^apps\/console\/\w+\.html$/u.test(name)))
    edit(join(copy, file), (text) => text.replace('<head>', '<head><script src="/mutants.js"></script>'));
  // Vite keeps the address of a script in this folder; the server answers it from preload.mjs.
  writeFileSync(join(copy, 'apps/console/public/mutants.js'), '');
  succeed(node(copy), ['-e', `import('./scripts/toolchain.mjs').then((tools) => tools.ensureBuilt())`], copy);
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

export const node = (root: string): string => join(root, 'node_modules/.bin/node');

/** How near two files are: the number of folders that they share, or a domain and a browser test with its name. */
export function nearness(test: string, file: string): number {
  if (test.startsWith('e2e/')) {
    const [, domain = ''] = /\/src\/\w+\/([\w-]+)/u.exec(file) ?? [];
    return test.includes(domain.replace(/s$/u, '')) ? 1 : 0;
  }
  const [one, other] = [dirname(test).split('/'), dirname(file).split('/')];
  const differs = one.findIndex((part, index) => part !== other[index]);
  const named = test.includes(file.replace(/\.tsx?$/u, '.')) ? 10 : 0;
  return (differs === -1 ? one.length : differs) + named;
}
