// `npm test`: runs all checks and tests, starting from a bare clone. Its last line counts the tests.
// --only nodes|processes|screens one of the groups of scripts/test-groups.mjs, which the run without options leaves out
// --postgres=external only the tests of statements, on the machine's own PostgreSQL
// --both the tests of statements on the embedded PostgreSQL too
// --once do not repeat failed files (to find unsteady tests)
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startExternalPostgres } from './external-postgres.mjs';
import { describeFailures } from './failures.mjs';
import { findChromium, findPostgres, installMissing, memoryFolder } from './machine.mjs';
import { playwrightFiles, vitestFiles } from './reports.mjs';
import { withSecondLook } from './second-look.mjs';
import { groups, inGroups } from './test-groups.mjs';
import { build, ensureInstalled, environment, node24, root, say } from './toolchain.mjs';

const isCi = process.env.CI === 'true';
const cache = join(root, '.cache');
const only = process.argv.find((arg) => arg.startsWith('--postgres='))?.slice('--postgres='.length);
const group = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const looksOnce = process.argv.includes('--once');
const onBoth = process.argv.includes('--both');

/** Run one of our programs on Node 24 with its output to ours, and return whether it succeeded. */
function runNode(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(node24(), args, {
      cwd: root,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', (error) => {
      say(error.message);
      resolve(false);
    });
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** The same while another step runs; its output is printed in one piece, as soon as it is done. */
function runAlongside(name, args, env = {}, priority = constants.priority.PRIORITY_NORMAL) {
  return new Promise((resolve) => {
    const child = spawn(node24(), args, { cwd: root, env: { ...environment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    if (child.pid !== undefined) setPriority(child.pid, priority);
    child.on('error', (error) => {
      say(error.message);
      resolve(false);
    });
    child.on('close', (code) => {
      say(`\n── ${name}\n${output}`);
      resolve(code === 0);
    });
  });
}

/** A step without own test counts: its failure counts as one. */
const outcome = (ok) => ({ passed: 0, failed: ok ? 0 : 1, skipped: 0, failures: [], unsteady: [] });

/** A step that this machine cannot run. In CI that is a failure: nothing is skipped there. */
function cannot(reason) {
  say(isCi ? `FAILED, since in CI nothing is skipped: ${reason}` : `SKIPPED: ${reason}`);
  return isCi ? outcome(false) : { ...outcome(true), note: `skipped: ${reason}` };
}

/** The entries of a report. A missing file, or a failed run without a failed test, is one additional failure without a file. */
function entriesOf(report, ok, read) {
  const fault = { ...outcome(false), failures: [{ title: 'the run itself', where: '', message: 'See its output above.' }] };
  try {
    const entries = read(JSON.parse(readFileSync(report, 'utf8')), root);
    return ok || entries.some(({ failed }) => failed > 0) ? entries : [...entries, fault];
  } catch {
    return [fault];
  }
}

/** Run a test runner through `start`, for some files or for all; its report is written to `report` and parsed by `read`. */
async function counted(report, read, start) {
  const run = async (files) => {
    rmSync(report, { force: true });
    const ok = await start(files);
    return entriesOf(report, ok, read);
  };
  const { entries, unsteady } = looksOnce ? { entries: await run([]), unsteady: [] } : await withSecondLook(run);
  const sum = (key) => entries.reduce((total, entry) => total + entry[key], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: entries.flatMap(({ failures }) => failures),
    unsteady,
  };
}

/** @param run how its process is run */
function vitest(name, files = [], env = {}, run = runNode) {
  const report = join(cache, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return counted(report, vitestFiles, (some) => run([program, 'run', ...reporters, ...(some.length > 0 ? some : files)], env));
}

/** Everything, but for what runs on the machine's own PostgreSQL and for the groups of their own. */
function onEmbeddedPostgres() {
  const elsewhere = onBoth || findPostgres() === undefined ? [] : testsOfStatements().filter((file) => !ofAdapter.test(file));
  return vitest(
    'vitest',
    [...elsewhere, ...inGroups].filter((file) => !file.startsWith('e2e/')).map((file) => `--exclude=${file}`),
  );
}

async function onExternalPostgres() {
  const bin = findPostgres();
  if (bin === undefined) return cannot('no PostgreSQL 15 or newer below /usr/lib/postgresql (apt-get install postgresql)');
  const { url, version, stop } = await startExternalPostgres(bin);
  const name = `tests on PostgreSQL ${version} from ${bin}`;
  // Each worker loads and compiles the server for itself, and browsers use the processor while these wait.
  const run = only === 'external' ? runNode : (args, env) => runAlongside(name, [...args, '--maxWorkers=3'], env);
  try {
    return await vitest('vitest-external', testsOfStatements(), { HIGHLINE_TEST_DATABASE_URL: url }, run);
  } finally {
    await stop();
  }
}

/**
 * Test files of domains and of the platform that clone a database. They run on the machine's own PostgreSQL, the oldest version that is
 * supported. The embedded one, the newest, gets every statement by the tests that send all calls.
 */
function testsOfStatements() {
  const folder = join(root, 'apps', 'server', 'src');
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !onEmbedded.test(name))
    .map((name) => join(folder, name))
    .filter((file) => usesDatabase(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file))
    .filter((file) => !inGroups.includes(file));
}

/** A separate server process starts its own PostgreSQL, regardless of the test database. */
function usesDatabase(test) {
  return /from '[./]+testing(?:\/[\w.-]+)?\.ts'/.test(test) && !/from '[./]+testing\/process\.ts'/.test(test);
}

/** Tests of sockets and requests, of limits on sign-in and passwords, and those that iterate over all calls. */
const onEmbedded = /^(?:transport|system-tests|compose)[\\/]|accounts\.(?:limits|password)\.test/;

/** Tests of migrations, connections and backups run on both. */
const ofAdapter = /src[\\/](?:platform[\\/]adapters[\\/]postgres|cli[\\/](?!key[\\/]))/;

/**
 * The browser tests but those of groups, or only `chosen` files. They use the machine's own PostgreSQL where it has one, for it takes
 * two thirds of the processor time of the embedded one: a cluster of its own, since roles and their passwords are those of a cluster.
 */
async function inBrowser(chosen = browserTests()) {
  const chromium = findChromium();
  if (chromium === undefined)
    return cannot('no Chromium (apt-get install chromium fonts-noto-cjk, or set CHROMIUM_PATH to a Chrome)');
  const bin = findPostgres();
  const cluster = bin === undefined ? undefined : await startExternalPostgres(bin);
  const env = { CHROMIUM_PATH: chromium, ...(cluster === undefined ? {} : { HIGHLINE_TEST_DATABASE_URL: cluster.url }) };
  const program = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  try {
    return await counted(join(cache, 'playwright.json'), playwrightFiles, (some) =>
      runNode([program, 'test', ...(some.length > 0 ? some : chosen)], env),
    );
  } finally {
    await cluster?.stop();
  }
}

function browserTests() {
  const specs = readdirSync(join(root, 'e2e')).filter((name) => name.endsWith('.spec.ts'));
  return specs.map((name) => `e2e/${name}`).filter((file) => !inGroups.includes(file));
}

const everything = [
  ['build', async () => outcome(build())],
  ['tests on the embedded PostgreSQL', onEmbeddedPostgres],
  ['tests in a browser', () => inBrowser()],
];

/**
 * What is run alongside all steps, since browsers, routers and databases are waited for, and one core is then idle: the check from the
 * start, and after it, at the latest with the browser, the tests on an external PostgreSQL.
 */
function beginAlongside() {
  const checked = measured('check, alongside', async () =>
    outcome(await runAlongside('check', [join(root, 'scripts', 'check.mjs')], {}, constants.priority.PRIORITY_LOW)),
  );
  let external;
  const beginExternal = () => (external ??= measured('tests on an external PostgreSQL', onExternalPostgres));
  void checked.then(beginExternal);
  return {
    before: (step) => (step === 'tests in a browser' ? beginExternal() : undefined),
    results: async () => [await checked, await beginExternal()],
  };
}

/** The steps of a group. The servers and the browser tests of all of them use the console. */
function stepsOf({ about, files }) {
  const units = files.filter((file) => !file.startsWith('e2e/'));
  const specs = files.filter((file) => file.startsWith('e2e/'));
  return [
    ['build', async () => outcome(build())],
    ...(units.length > 0 ? [[about, () => vitest(`vitest-${group}`, units)]] : []),
    ...(specs.length > 0 ? [['tests in a browser', () => inBrowser(specs)]] : []),
  ];
}

const chosenSteps = () => {
  if (group !== undefined) return stepsOf(groups[group]);
  return only === 'external' ? [['tests on an external PostgreSQL', onExternalPostgres]] : everything;
};

async function runStep([name, work]) {
  say(`\n── ${name}`);
  return measured(name, work);
}

async function measured(name, work) {
  const begun = performance.now();
  const result = await work().catch((error) => {
    say(error.stack);
    return outcome(false);
  });
  return { name, seconds: (performance.now() - begun) / 1000, ...result };
}

function summarize(steps) {
  say('');
  for (const step of steps) {
    const sign = step.failed > 0 ? 'FAIL' : 'ok  ';
    const unsteady = step.unsteady.length > 0 ? `, ${step.unsteady.length} only the second time` : '';
    say(`${sign} ${step.name.padEnd(34)} ${step.seconds.toFixed(1).padStart(6)} s  ${step.note ?? countsOf(step)}${unsteady}`);
  }
  const sum = (key) => steps.reduce((total, step) => total + step[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** Print the failed tests after everything else, preceded by those that passed only the second time. */
function repeatFailures(steps) {
  for (const { name, unsteady } of steps)
    if (unsteady.length > 0) say(`\nPassed only the second time; find out why:\n${describeFailures(name, unsteady, '≈')}`);
  for (const { name, failures } of steps) if (failures.length > 0) say(`\n${describeFailures(name, failures)}`);
}

const countsOf = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

if (group !== undefined && groups[group] === undefined) {
  say(`--only ${group}: there are ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}
const begun = performance.now();
ensureInstalled();
installMissing();
process.env.TMPDIR ??= memoryFolder() ?? tmpdir();
mkdirSync(cache, { recursive: true });
// A process of ours spends most of its start on compiling; a test that kills it starts many. Kept for this run only: entries of
// changed files would stay.
process.env.NODE_COMPILE_CACHE = join(cache, 'compiled');
rmSync(process.env.NODE_COMPILE_CACHE, { recursive: true, force: true });
const steps = [{ name: 'install', seconds: (performance.now() - begun) / 1000, ...outcome(true), note: '' }];
const chosen = chosenSteps();
const alongside = chosen === everything ? beginAlongside() : undefined;
for (const step of chosen) {
  void alongside?.before(step[0]);
  steps.push(await runStep(step));
}
steps.push(...((await alongside?.results()) ?? []));
const total = summarize(steps);
repeatFailures(steps);
if (isCi && total.skipped > 0) say('In CI no test may be skipped.');
process.stdout.write(`${countsOf(total)}\n`);
process.exitCode = total.failed > 0 || total.passed === 0 || (isCi && total.skipped > 0) ? 1 : 0;
