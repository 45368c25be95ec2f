import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { areaOf, areas, nearness, prepare, sourcesOf, testsOf } from './checkout.ts';
import { runTests } from './runners.ts';
import { choose, type Mutant } from './sites.ts';

// `node scripts/run.mjs scripts/mutants/main.ts --seed 26 --count 200 --root <checkout>`: whether the tests of a checkout notice changes of its
// code. Results are kept in <checkout>/.cache/mutants; the same command goes on where it was stopped.

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '26' },
    count: { type: 'string', default: '200' },
    root: { type: 'string', default: '.' },
    /** The first mutant to run, and how many. */
    from: { type: 'string', default: '1' },
    take: { type: 'string', default: '1000000' },
    /** Only tests whose path has this; to try it out. */
    tests: { type: 'string', default: '' },
    /** Most files for one mutant, the nearest first. */
    files: { type: 'string', default: '30' },
    specs: { type: 'string', default: '12' },
    /** Runs at the same time. */
    jobs: { type: 'string', default: '2' },
  },
});
const root = resolve(values.root);
const folder = join(root, '.cache', 'mutants', `${values.seed}-${values.count}`);
const copy = join(folder, 'copy');
const hits = join(folder, 'hits');
const mutantsFile = join(folder, 'mutants.json');
const baselineFile = join(folder, 'baseline.tsv');
const resultsFile = join(folder, 'results.jsonl');
const selected = new RegExp(values.tests, 'u');
const isBrowser = (file: string) => file.startsWith('e2e/');
const HOUR = 3_600_000;

const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

/** Do some work for each item, several at the same time. */
async function inParallel<T>(items: readonly T[], jobs: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

function makeMutants(): Mutant[] {
  if (existsSync(mutantsFile)) return JSON.parse(readFileSync(mutantsFile, 'utf8')) as Mutant[];
  mkdirSync(folder, { recursive: true });
  const { mutants, sites } = choose(sourcesOf(root), Number(values.seed), Number(values.count));
  say(`${mutants.length} of ${sites} possible changes; copy and build …`);
  prepare(root, copy, mutants);
  writeFileSync(mutantsFile, JSON.stringify(mutants, undefined, 1));
  return mutants;
}

interface Baseline {
  readonly ms: number;
  readonly failed: boolean;
}

function readBaseline(): Map<string, Baseline> {
  if (!existsSync(baselineFile)) return new Map();
  const lines = readFileSync(baselineFile, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => line.split('\t')).map(([file, ms, failed = '']) => [file!, { ms: Number(ms), failed: failed !== '' }]),
  );
}

/** Run every test file without a mutant once, and record what it reaches. A browser test has a server of its own for this. */
async function recordReach(): Promise<void> {
  mkdirSync(hits, { recursive: true });
  const done = readBaseline();
  const missing = testsOf(root).filter((file) => !done.has(file) && selected.test(file));
  const record = async (files: readonly string[], env: Readonly<Record<string, string>>) => {
    say(`record: ${files.length === 1 ? files[0] : `${files.length} files`}`);
    const run = await runTests(files, { copy, env: { MUTANT_HITS: hits, ...env }, limitMs: HOUR, stopsAtFirst: false });
    if (run.files.size === 0) throw new Error(run.failure);
    for (const [file, { ms, failed }] of run.files) appendFileSync(baselineFile, `${file}\t${ms}\t${failed ?? ''}\n`);
  };
  const ofVitest = missing.filter((file) => !isBrowser(file));
  if (ofVitest.length > 0) await record(ofVitest, {});
  await inParallel(missing.filter(isBrowser), Number(values.jobs), (file) => record([file], { MUTANT_TEST: file }));
}

/** The test files that reach each mutant. */
function readReach(mutants: readonly Mutant[]): Map<number, Set<string>> {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const reach = new Map(mutants.map(({ id }) => [id, new Set<string>()]));
  for (const name of readdirSync(hits))
    for (const line of readFileSync(join(hits, name), 'utf8').trim().split('\n')) {
      const [path = '', number] = line.split('\t');
      const test = path.replace(`${copy}/`, '');
      const id = Number(number);
      // A mark of a file stands for what ran when that file was loaded.
      const ids =
        id > 0 ? [id] : mutants.filter(({ isStatic, file }) => isStatic && file === files[-1 - id]).map((mutant) => mutant.id);
      if (test !== '') for (const one of ids) reach.get(one)?.add(test);
    }
  return reach;
}

interface Result extends Mutant {
  readonly area: string;
  readonly status: 'killed' | 'survived' | 'unreached';
  readonly by?: string;
  readonly reaching: number;
  readonly ran: number;
  readonly seconds: number;
}

/** The nearest first and the shortest of these, in chunks: most mutants fail in the first. */
function chunksOf(mutant: Mutant, tests: readonly string[], baseline: ReadonlyMap<string, Baseline>): string[][] {
  const order = (most: number, some: readonly string[]) =>
    some
      .toSorted(
        (one, other) =>
          nearness(other, mutant.file) - nearness(one, mutant.file) || baseline.get(one)!.ms - baseline.get(other)!.ms,
      )
      .slice(0, most);
  const split = (files: readonly string[], first: number) => [
    files.slice(0, first),
    files.slice(first, first * 4),
    files.slice(first * 4),
  ];
  const ofVitest = order(
    Number(values.files),
    tests.filter((file) => !isBrowser(file)),
  );
  const ofBrowser = order(Number(values.specs), tests.filter(isBrowser));
  return [...split(ofVitest, 3), ...split(ofBrowser, 2)].filter((chunk) => chunk.length > 0);
}

async function tryMutant(
  mutant: Mutant,
  reaching: ReadonlySet<string>,
  baseline: ReadonlyMap<string, Baseline>,
): Promise<Result> {
  const began = Date.now();
  const usable = [...reaching].filter((file) => baseline.get(file)?.failed === false && selected.test(file));
  const result = { ...mutant, area: areaOf(mutant.file), reaching: usable.length };
  const seconds = () => Math.round((Date.now() - began) / 1000);
  if (usable.length === 0) return { ...result, status: 'unreached', ran: 0, seconds: 0 };
  let ran = 0;
  for (const files of chunksOf(mutant, usable, baseline)) {
    const expected = files.reduce((sum, file) => sum + baseline.get(file)!.ms, 0);
    const env = { MUTANT: String(mutant.id) };
    const { failure } = await runTests(files, { copy, env, limitMs: 240_000 + 5 * expected, stopsAtFirst: true });
    ran += files.length;
    if (failure !== undefined) return { ...result, status: 'killed', by: failure, ran, seconds: seconds() };
  }
  return { ...result, status: 'survived', ran, seconds: seconds() };
}

function readResults(): Result[] {
  if (!existsSync(resultsFile)) return [];
  return readFileSync(resultsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
}

/** The share with its 95 % interval (Wilson). */
function share(killed: number, all: number): string {
  if (all === 0) return '';
  const z2 = 1.96 ** 2;
  const p = killed / all;
  const middle = (p + z2 / (2 * all)) / (1 + z2 / all);
  const half = (Math.sqrt((p * (1 - p) + z2 / (4 * all)) / all) * 1.96) / (1 + z2 / all);
  const percent = (value: number) => Math.round(value * 100);
  return `${percent(p)} % (${percent(middle - half)} to ${percent(middle + half)})`;
}

function report(results: readonly Result[]): void {
  const row = (name: string, some: readonly Result[]) => {
    const count = (status: Result['status']) => some.filter((result) => result.status === status).length;
    const cells = [count('killed'), count('survived'), count('unreached')];
    console.log(
      [name.padEnd(18), ...cells.map((cell) => String(cell).padStart(9)), `  ${share(cells[0]!, some.length)}`].join(' '),
    );
  };
  console.log(`\n${'area'.padEnd(18)}    killed  survived unreached   killed of all, 95 %`);
  for (const area of areas)
    row(
      area,
      results.filter((result) => result.area === area),
    );
  row('all', results);
  for (const { status, file, line, kind, original, mutated, ran, reaching, id } of results) {
    if (status === 'killed') continue;
    const short = (text: string) => text.replaceAll(/\s+/gu, ' ').slice(0, 70);
    const how = status === 'survived' ? `survived ${ran} of ${reaching} files` : status;
    console.log(`\n${id} ${file}:${line} ${kind}, ${how}\n  - ${short(original)}\n  + ${short(mutated)}`);
  }
}

const mutants = makeMutants();
await recordReach();
const baseline = readBaseline();
for (const [file, { failed }] of baseline) if (failed) say(`left out, fails without a mutant: ${file}`);
const reach = readReach(mutants);
const tried = new Set(readResults().map(({ id }) => id));
const first = Number(values.from);
const part = mutants.filter(({ id }) => id >= first && id < first + Number(values.take) && !tried.has(id));
await inParallel(part, Number(values.jobs), async (mutant) => {
  const result = await tryMutant(mutant, reach.get(mutant.id)!, baseline);
  appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
  say(`${result.id} ${result.status} after ${result.seconds} s: ${result.file}:${result.line} ${result.by ?? ''}`);
});
report(readResults().toSorted((one, other) => one.id - other.id));
