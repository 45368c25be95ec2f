// `npm test`: everything, from a bare clone, in one schedule, on Node 24 by scripts/run.mjs. Its last lines count the tests and the processor seconds.
//   GRP-07 …                       only tests that name these rows
//   apps/…/x.test.ts e2e/y.spec.ts only these files or folders
//   --changed                      only tests that what is changed since the last commit can concern
//   --only processes,screens       only these parts: projects of vitest.config.ts and playwright.config.ts, or `check`
//   -t TEXT                        only tests with this in their title
//   --once                         do not try a failed test again
//   --now 2027-02-28T23:30:00Z     with the clock of all programs at this time
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { startExternalPostgres } from './external-postgres.mjs';
import { findChromium, findPostgres, installMissing } from './machine.mjs';
import { environmentAt } from './tests/clock.mjs';
import { countProcessorTime, USUAL_UNIT_MS } from './tests/processor-time.mjs';
import { countLeft, useRunFolder } from './tests/run-folder.mjs';
import { choose } from './tests/selection.mjs';
import { build, environment, fail, node24, root, say } from './toolchain.mjs';

/** What a run in CI may take on the machine of docs/decisions/0116-one-program.md: what it takes, and a third, as runs differ by a fifth. It falls with the suite. */
const MOST_PROCESSOR_SECONDS = 2000;
const SLOWNESS_INTERVAL_MS = 120_000;
const MESSAGE_LINES = 15;
/** Files of several whole runs. */
const MOST_COMPILED = 20_000;

const isCi = process.env.CI === 'true';
const cache = join(root, '.cache');
const processor = countProcessorTime();
const chosen = choose(process.argv.slice(2));

const program = (...path) => join(root, 'node_modules', ...path);

/** Run one of our programs on Node 24 to its end; lines of several that run at once are not mixed. @returns whether it succeeded */
function run(args, { env = {}, priority = constants.priority.PRIORITY_NORMAL, atOnce = false } = {}) {
  const child = spawn(node24(), args, { cwd: root, env: { ...environment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text) => {
      const end = atOnce ? -1 : (rest + text).lastIndexOf('\n');
      if (end >= 0) process.stderr.write((rest + text).slice(0, end + 1));
      rest = (rest + text).slice(end + 1);
    });
    stream.on('end', () => process.stderr.write(rest));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => say(error.message));
    child.on('close', (code) => {
      running.delete(child);
      resolve(code === 0);
    });
  });
}

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    // What they started ends with them; then the cluster is removed, and what was run so far is summarized.
    for (const child of running) child.kill(signal);
  });

/** A step without tests: its failure counts as one. */
async function step(part, work) {
  const begun = performance.now();
  const ok = await work();
  const failure = { part, state: 'failed', title: 'the step itself', where: '', message: 'See its output above.' };
  return { part, seconds: (performance.now() - begun) / 1000, results: ok ? [] : [failure] };
}

/** A runner of tests, whose reporter (scripts/tests/) writes what became of each. */
async function runner(part, args, env) {
  const report = join(cache, `${part}.json`);
  rmSync(report, { force: true });
  const { seconds, results } = await step(part, () => run(args, { env: { ...env, HIGHLINE_TEST_REPORT: report } }));
  const all = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
  // Those that a title leaves out.
  const tests = chosen.title === undefined ? all : all.filter(({ state }) => state !== 'skipped');
  return { part, seconds, results: tests.some(({ state }) => state === 'failed') ? tests : [...tests, ...results] };
}

function vitest(env) {
  const { files, projects } = chosen.vitest;
  return runner(
    'vitest',
    [
      program('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=./scripts/tests/vitest-report.ts',
      '--passWithNoTests',
      ...projects.map((name) => `--project=${name}`),
      ...(chosen.title === undefined ? [] : ['-t', chosen.title]),
      ...(chosen.isOnce ? ['--retry=0'] : []),
      ...(chosen.changed ? ['--changed'] : []),
      ...files,
    ],
    // Only then has each statement been executed.
    chosen.isWhole ? { ...env, HIGHLINE_TEST_WHOLE: '1' } : env,
  );
}

function playwright(env) {
  const { files, projects } = chosen.playwright;
  return runner(
    'playwright',
    [
      program('@playwright', 'test', 'cli.js'),
      'test',
      '--reporter=list,./scripts/tests/playwright-report.ts',
      '--pass-with-no-tests',
      ...projects.map((name) => `--project=${name}`),
      ...(chosen.title === undefined ? [] : ['--grep', chosen.title]),
      ...(chosen.isOnce ? ['--retries=0'] : []),
      ...(chosen.changed ? ['--only-changed'] : []),
      ...files,
    ],
    env,
  );
}

const check = () =>
  step('check', () => run([join(root, 'scripts', 'check.mjs')], { priority: constants.priority.PRIORITY_LOW, atOnce: true }));

/** What this machine lacks. In CI that is a failure: nothing is left out there. */
function lacking() {
  const reasons = [
    ...(findPostgres() === undefined ? ['no PostgreSQL 15 or newer below /usr/lib/postgresql (apt-get install postgresql)'] : []),
    ...(chosen.playwright && findChromium() === undefined
      ? ['no Chromium (apt-get install chromium fonts-noto-cjk, or set CHROMIUM_PATH to a Chrome)']
      : []),
  ];
  return reasons.map((message) => {
    say(`${isCi ? 'FAILED, since in CI nothing is left out' : 'Left out'}: ${message}`);
    return { part: 'machine', state: isCi ? 'failed' : 'skipped', title: 'the machine', where: '', message };
  });
}

/** All parts at once: browsers, routers and databases are waited for, and one core would then be idle. */
async function runAll() {
  const lacks = lacking();
  const bin = findPostgres();
  const given = process.env.HIGHLINE_TEST_DATABASE_URL;
  const isNeeded = (chosen.vitest ?? chosen.playwright) !== undefined && given === undefined;
  const cluster = isNeeded && bin !== undefined ? await startExternalPostgres(bin) : undefined;
  const chromium = findChromium();
  const env = {
    ...(cluster === undefined ? {} : { HIGHLINE_TEST_DATABASE_URL: cluster.url }),
    ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }),
  };
  try {
    const checked = chosen.check ? check() : undefined;
    const built = chosen.build ? [await step('build', build)] : [];
    const steps = await Promise.all([
      chosen.vitest && vitest(env),
      chosen.playwright && chromium !== undefined && playwright(env),
      checked,
    ]);
    return [...built, ...steps.filter(Boolean), { part: 'machine', seconds: 0, results: lacks }];
  } finally {
    await cluster?.stop();
  }
}

/**
 * Measure how much slower this machine is than the one of the limit: the same work, on each core at once at first and at the end, and on one
 * every few minutes meanwhile, since a machine that others use changes.
 * @returns the mean so far, 1 when it is not slower
 */
function watchSlowness() {
  const times = [];
  const measure = async (count) => {
    const unit = () => promisify(execFile)(node24(), [join(root, 'scripts', 'tests', 'processor-time.mjs')]);
    const all = await Promise.all(Array.from({ length: count }, unit));
    times.push(all.reduce((sum, { stdout }) => sum + Number(stdout), 0) / all.length);
  };
  const first = measure(availableParallelism());
  const timer = setInterval(() => void measure(1).catch(() => {}), SLOWNESS_INTERVAL_MS);
  return {
    first,
    async end() {
      clearInterval(timer);
      await measure(availableParallelism());
      return Math.max(1, times.reduce((sum, time) => sum + time, 0) / times.length / USUAL_UNIT_MS);
    },
  };
}

function describe({ part, title, where, message }, sign) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.length > MESSAGE_LINES ? [...lines.slice(0, MESSAGE_LINES), '…'] : lines;
  return [`${sign} ${part} › ${title}`, `  ${where}`, ...shown.map((line) => `    ${line}`)].join('\n');
}

/** A line for each part, the tests that passed only the second time, and those that failed. @returns the number of each state */
function summarize(steps) {
  const results = steps.flatMap((one) => one.results);
  const having = (state, among = results) => among.filter((result) => result.state === state);
  const counts = (among) =>
    ['passed', 'failed', 'flaky', 'skipped']
      .map((state) => [having(state, among).length, state === 'flaky' ? 'only the second time' : state])
      .filter(([count, name]) => count > 0 || name === 'passed' || name === 'failed')
      .map(([count, name]) => `${count} ${name}`)
      .join(', ');
  say('');
  for (const { part, seconds } of steps.filter((one) => one.seconds > 0))
    say(`${part.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s`);
  for (const part of new Set(results.map((result) => result.part))) {
    const among = results.filter((result) => result.part === part);
    say(`${having('failed', among).length > 0 ? 'FAIL' : 'ok  '} ${part.padEnd(12)} ${counts(among)}`);
  }
  if (having('flaky').length > 0) say('\nPassed only the second time; find out why:');
  for (const result of having('flaky')) say(describe(result, '≈'));
  for (const result of having('failed')) say(`\n${describe(result, '✘')}`);
  process.stdout.write(`${counts(results)}\n`);
  return {
    passed: having('passed').length + having('flaky').length,
    failed: having('failed').length,
    skipped: having('skipped').length,
  };
}

/** Whether the whole run took no more than it may. */
function staysBelow(seconds, slower) {
  const usual = seconds / slower;
  process.stdout.write(
    `${seconds.toFixed(0)} processor seconds${slower > 1 ? `, ${usual.toFixed(0)} on a machine as of the limit` : ''}\n`,
  );
  // Under a moved clock each look at it costs more.
  if (usual <= MOST_PROCESSOR_SECONDS || !isCi || !chosen.isWhole || chosen.now !== undefined) return true;
  say(
    `A run may take ${MOST_PROCESSOR_SECONDS} processor seconds. Prove what is new at a lower level (a component test instead of one in a browser, inject instead of a socket), or find what has become slow: npm test -- --only PART prints the processor seconds of a part.`,
  );
  return false;
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    return 0;
  }
}

installMissing(chosen.now === undefined ? [] : ['faketime']);
if (chosen.now !== undefined)
  Object.assign(process.env, environmentAt(chosen.now) ?? fail('--now needs libfaketime (apt-get install faketime)'));
useRunFolder();
mkdirSync(cache, { recursive: true });
// A process of ours spends most of its start on compiling, and tests start many.
process.env.NODE_COMPILE_CACHE ??= join(cache, 'compiled');
// Entries of changed files stay.
if (entriesOf(process.env.NODE_COMPILE_CACHE) > MOST_COMPILED) rmSync(process.env.NODE_COMPILE_CACHE, { recursive: true });
const slowness = chosen.isWhole ? watchSlowness() : undefined;
await slowness?.first;
const total = summarize(await runAll());
const left = countLeft();
if (left.length > 0)
  say(`Tests left temporary files, which are removed now: ${left.map(({ kind, count }) => `${count} ${kind}`).join(', ')}`);
const slower = (await slowness?.end()) ?? 1;
const isCheap = staysBelow(processor.seconds(), slower);
if (isCi && total.skipped > 0) say('In CI no test may be left out.');
const isEmpty = total.passed === 0 && total.failed === 0 && !chosen.mayBeEmpty;
if (isEmpty) say('No test was run.');
process.exitCode = total.failed > 0 || isEmpty || (isCi && total.skipped > 0) || !isCheap ? 1 : 0;
