import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';

// `node scripts/run.mjs scripts/structure.ts [--root <checkout>]`: sizes and arrows of a checkout, the same for every commit, so that two can be
// compared (docs/ARCHITECTURE.md, Figures).

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const { values } = parseArgs({ options: { root: { type: 'string', default: '.' } } });
const root = values.root;
const isTest = (file: string) =>
  /\.test\.tsx?$|\/testing\/|\/system-tests\/|^e2e\/|^packages\/(?:testkit|generated-clients)\//u.test(file);
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const listFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
const countLines = (text: string) => text.split('\n').length - 1;

const sources = listFiles('*.ts', '*.tsx', '*.mjs');
const code = sources.filter((file) => !isTest(file));
const isGenerated = (file: string) => /\.generated\.tsx?$/u.test(file);
const lines = code.reduce((sum, file) => sum + countLines(read(file)), 0);
const lengths = code
  .filter((file) => !isGenerated(file))
  .map((file) => countLines(read(file)))
  .toSorted((a, b) => a - b);
const tests = sources.filter(isTest).reduce((sum, file) => sum + countLines(read(file)), 0);
const parsed = code.map((file) => ({
  file,
  source: read(file),
  program: parseSync(file, read(file)).program as unknown as Node,
}));
const functions = parsed
  .flatMap(({ file, source, program }) => functionsOf(file, source, program))
  .toSorted((a, b) => a.lines - b.lines);
const exported = parsed.flatMap(({ program }) => exportedFunctions(program));
const oneWord = exported.filter((name) => /^[a-z\d]+$/u.test(name));
const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const longest = functions.at(-1)!;
const claims = code
  .filter((file) => file.startsWith('apps/server/src/'))
  .map((file) => ({ file, count: countClaims(read(file)) }));
const sumOf = (counted: typeof claims) => counted.reduce((sum, { count }) => sum + count, 0);

const print = (label: string, value: unknown) => console.log(`${label.padEnd(52)} ${String(value)}`);
print('files and lines of code without tests', `${code.length}, ${lines}`);
print('lines of tests and their tools', tests);
print(
  'lines of CSS; of SQL',
  [['*.css'], ['*.sql']].map((kind) => listFiles(...kind).reduce((sum, file) => sum + countLines(read(file)), 0)).join('; '),
);
print('file, lines: median, p95, longest', [0.5, 0.95, 1].map((share) => quantile(lengths, share)).join(', '));
print(
  'function, lines: median, p95',
  [0.5, 0.95]
    .map((share) =>
      quantile(
        functions.map(({ lines }) => lines),
        share,
      ),
    )
    .join(', '),
);
print('longest function', `${longest.lines} (${longest.place})`);
print(
  'exported functions named by one word',
  `${oneWord.length} of ${exported.length} (${((100 * oneWord.length) / exported.length).toFixed(1)} %)`,
);
print(
  'types of SQL results that are claimed; not compared',
  `${sumOf(claims)}; ${sumOf(claims.filter(({ file }) => !isCompared(file)))}`,
);
const printCircles = (label: string, arrows: ReadonlyMap<string, ReadonlySet<string>>) => {
  const circles = circlesOf(arrows);
  print(label, circles.length === 0 ? 'none' : circles.map((circle) => `${circle.length}: ${circle.join(' ')}`).join('; '));
};
for (const part of ['server', 'console', 'router']) {
  const arrows = arrowsOf(`apps/${part}/src/`);
  const domains = [...arrows].filter(([folder]) => folder.startsWith('domains/'));
  const between = domains.map(
    ([folder, to]) => [folder, new Set([...to].filter((other) => other.startsWith('domains/')))] as const,
  );
  print(
    `imports between domains of the ${part}`,
    between.reduce((sum, [, to]) => sum + to.size, 0),
  );
  printCircles(`domains of the ${part} that need each other`, new Map(between));
  printCircles(`folders of the ${part} that need each other`, arrows);
}
for (const feature of ['webhook', 'usage']) {
  const own = new RegExp(`/${feature}s?/|/${feature}s?\\.`, 'u');
  const foreign = [...sources, ...listFiles('*.css')].filter(
    (file) => !own.test(file) && new RegExp(feature, 'iu').test(read(file)),
  );
  print(
    `files outside its folders that name "${feature}"`,
    `${foreign.filter((file) => !isTest(file)).length} of code, ${foreign.filter(isTest).length} of tests`,
  );
}

function countClaims(source: string): number {
  return source.match(/\bsql<|\.rows</gu)?.length ?? 0;
}

/** Whether tests compare what a file claims with the database: not in programs that they start, nor where row-claims.ts says why not. */
function isCompared(file: string): boolean {
  const rules = 'scripts/tests/row-claims.ts';
  if (!existsSync(join(root, rules))) return false;
  const unreached = [...read(rules).matchAll(/^ {2}'([^']+\.ts)':/gmu)].map(([, name]) => `apps/server/src/${name}`);
  return !/^apps\/server\/src\/(?:cli|testing)\//u.test(file) && !unreached.includes(file);
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const part of node) visit(part, see);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) see(node as Node);
    for (const part of Object.values(node)) visit(part, see);
  }
}

/** Every function with its length in lines; a test or a callback counts as one as well. */
function functionsOf(file: string, source: string, program: Node): { place: string; lines: number }[] {
  const starts = [0, ...[...source.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1;
  const found: { place: string; lines: number }[] = [];
  visit(program, ({ type, start, end }) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/u.test(type)) return;
    found.push({ place: `${file}:${lineAt(start)}`, lines: lineAt(end) - lineAt(start) + 1 });
  });
  return found;
}

function exportedFunctions(program: Node): string[] {
  return (program['body'] as Node[]).flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const declaration = statement['declaration'] as (Node & { id?: { name: string }; declarations?: Node[] }) | null;
    if (declaration?.type === 'FunctionDeclaration') return [declaration.id!.name];
    return (declaration?.declarations ?? []).flatMap(({ id, init }) =>
      /Function/u.test((init as Node | null)?.type ?? '') ? [(id as { name: string }).name] : [],
    );
  });
}

/** Which folder imports which: those of the first level, and each domain by itself. What is imported as a type alone does not count, nor do tests. */
function arrowsOf(base: string): ReadonlyMap<string, ReadonlySet<string>> {
  const folderOf = (file: string) => {
    const [first = '', second = ''] = relative(base, file).split('/');
    return first === 'domains' ? `domains/${second}` : first;
  };
  const arrows = new Map<string, Set<string>>();
  for (const { file, source } of parsed.filter((each) => each.file.startsWith(base)))
    for (const [, path, later = ''] of source.matchAll(
      /^(?:import|export) (?!type )[^;']*'(\.[^']+)';|import\('(\.[^']+)'\)/gmu,
    )) {
      const target = normalize(join(dirname(file), path ?? later));
      const [from, to] = [folderOf(file), folderOf(target)];
      if (target.startsWith(base) && from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  return arrows;
}

/** Sets of folders each of which leads to every other one: the strongly connected components with more than one. */
function circlesOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map([...arrows.keys()].map((folder) => [folder, reachable(arrows, folder)]));
  const circles = new Map<string, string[]>();
  for (const [folder, reached] of reach) {
    const circle = [...reached].filter((other) => reach.get(other)?.has(folder)).toSorted();
    if (circle.length > 1) circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}

function reachable(arrows: ReadonlyMap<string, ReadonlySet<string>>, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const next of arrows.get(folder) ?? [])
      if (!found.has(next)) {
        found.add(next);
        waiting.push(next);
      }
  return found;
}
