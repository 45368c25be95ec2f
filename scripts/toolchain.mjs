// Shared code of all launchers. Plain JavaScript that runs on Node 20 without node_modules: it installs both.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants as system, homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Print one line of progress, apart from the JSON logs of the server. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Exit with a message and without a stack. */
export function fail(line) {
  say(`\nhighline: ${line}`);
  process.exit(1);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file) && !/\.(test|spec)\.tsx?$/.test(file))
    .sort();
}

/** Run `npm ci` unless node_modules already matches package-lock.json. */
export function ensureInstalled() {
  if (isInstalled()) return;
  // npm's own variables describe the calling script; a nested npm must find its settings itself.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_(?!config_)/.test(key)));
  rejectHarmfulSettings(env);
  say('Installing packages (npm ci) …');
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];
  // npm must write to its cache; a read-only or missing home must not prevent that.
  if (!canKeep(env.npm_config_cache ?? join(homedir(), '.npm'))) args.push(`--cache=${join(root, '.cache', 'npm')}`);
  // npm itself cannot clean up after an interrupted install.
  rmSync(join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
  const done = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.status !== 0) fail('npm ci failed; its messages are above.');
}

/** After an install, npm writes a lock file into node_modules. */
function isInstalled() {
  const locked = readJson(join(root, 'package-lock.json'));
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (present === undefined || (bringsNode && !existsSync(broughtNode()))) return false;
  return Object.entries(locked.packages).every(([name, { version, integrity, optional }]) => {
    // Optional packages of other platforms are missing on purpose.
    if (!name.includes('node_modules/') || (optional && present[name] === undefined)) return true;
    return present[name] !== undefined && present[name].version === version && present[name].integrity === integrity;
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Reject npm settings that would install neither Node 24 nor PostgreSQL. */
function rejectHarmfulSettings(env) {
  const setting = (name) => spawnSync('npm', ['config', 'get', name], { cwd: root, env, encoding: 'utf8' }).stdout?.trim() ?? '';
  if (setting('omit').split(',').includes('optional'))
    fail('npm is set to omit optional packages, which include Node 24 and PostgreSQL. Run again without --omit=optional.');
  if (setting('engine-strict') === 'true' && Number(process.versions.node.split('.')[0]) < 24)
    fail(
      'npm is set to engine-strict, which rejects packages that need the Node 24 to be installed. Run again with npm_config_engine_strict=false.',
    );
}

/** Whether npm can create and write this folder. */
function canKeep(folder) {
  for (let at = folder; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK);
      return true;
    } catch (error) {
      if (error.code !== 'ENOENT' || at === dirname(at)) return false;
    }
  }
}

const bringsNode = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

function broughtNode() {
  return join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
}

/** Absolute path of a Node of version 24 or newer: the one installed by npm, or the current one. */
export function node24() {
  const brought = broughtNode();
  if (bringsNode && existsSync(brought)) return brought;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `Node 24 is required; npm installs it on Linux (x64, arm64) only, and this is Node ${process.versions.node} on ${process.platform}.`,
  );
}

/** Build the console unless the existing build was made from the current sources. */
export function ensureBuilt() {
  if (!build()) fail('The console could not be built; the messages are above.');
}

/** Build the console; returns whether it succeeded. */
export function build() {
  const consoleFolder = join(root, 'apps', 'console');
  const stamp = join(consoleFolder, 'dist', '.built-from');
  const sources = hashOf([
    ...filesBelow(consoleFolder),
    ...filesBelow(join(root, 'packages', 'contract')),
    join(root, 'package-lock.json'),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true;
  say('Building the console …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const done = spawnSync(node24(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: consoleFolder,
    // The bundle must not depend on the NODE_ENV of the shell.
    env: { ...environment(), NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) return false;
  writeFileSync(stamp, sources);
  return true;
}

/** Our environment with Node 24 first on the path, so that each tool runs on it regardless of the machine. */
export function environment() {
  return { ...process.env, PATH: `${dirname(node24())}${delimiter}${process.env.PATH}` };
}

const PARENT_CHECK_MS = 500;

/** npm passes signals on, except those it cannot handle. Its child processes must not stay behind then. */
function onParentGone(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/**
 * Run a program on Node 24 to its end, forward our signals, and exit with its exit code.
 * @param service without terminal input: it gets a separate process group, so that Ctrl-C and other group signals reach it once,
 * through us, and it can stop in order
 */
export function runToEnd(args, { service = false } = {}) {
  const command = [node24(), '--disable-warning=ExperimentalWarning', ...args];
  // The kernel ends the program even when kill -9 ends us, so that it does not stay behind unnoticed.
  if (existsSync('/usr/bin/setpriv')) command.unshift('/usr/bin/setpriv', '--pdeathsig', 'TERM');
  const stdio = [service ? 'ignore' : 'inherit', 'inherit', 'inherit'];
  const child = spawn(command[0], command.slice(1), { cwd: root, env: environment(), stdio, detached: service });
  // A terminal sends Ctrl-C to the whole group itself.
  process.on('SIGINT', () => (!service && process.stdin.isTTY) || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A service reloads its certificates; a program in a terminal ends with it.
  process.on('SIGHUP', () => child.kill(service ? 'SIGHUP' : 'SIGTERM'));
  if (process.env['npm_lifecycle_event'] !== undefined) onParentGone(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
    child.on('exit', (code, signal) => resolve(code ?? 128 + (system.signals[signal] ?? 0)));
  });
}
