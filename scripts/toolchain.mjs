// What every launcher shares. Plain JavaScript that runs on Node 20 with no node_modules: it is what brings both about.
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

/** Stop with a plain sentence and no stack. */
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

/** Run `npm ci` unless node_modules already is what package-lock.json says. */
export function ensureInstalled() {
  if (isInstalled()) return;
  // npm's own variables describe the script that called us; a nested npm must find its settings itself.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_(?!config_)/.test(key)));
  rejectHarmfulSettings(env);
  say('Installing packages (npm ci) …');
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];
  // npm must write to its cache; a home that is read-only or missing must not stop it.
  if (!canKeep(env.npm_config_cache ?? join(homedir(), '.npm'))) args.push(`--cache=${join(root, '.cache', 'npm')}`);
  // What an install that was interrupted left behind is more than npm itself can clear away.
  rmSync(join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
  const done = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.status !== 0) fail('npm ci did not succeed; its messages stand above.');
}

/** npm writes what it installed into a lock file of its own, when it is done. */
function isInstalled() {
  const locked = readJson(join(root, 'package-lock.json'));
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (present === undefined || (bringsNode && !existsSync(broughtNode()))) return false;
  return Object.entries(locked.packages).every(([name, { version, integrity, optional }]) => {
    // Optional ones of other platforms are not there, and that is as it should be.
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

/** Settings of npm under which the install would end without a Node 24 or without PostgreSQL. */
function rejectHarmfulSettings(env) {
  const setting = (name) => spawnSync('npm', ['config', 'get', name], { cwd: root, env, encoding: 'utf8' }).stdout?.trim() ?? '';
  if (setting('omit').split(',').includes('optional'))
    fail('npm is set to omit optional packages; Node 24 and PostgreSQL come as such. Run again without --omit=optional.');
  if (setting('engine-strict') === 'true' && Number(process.versions.node.split('.')[0]) < 24)
    fail(
      'npm is set to engine-strict, which refuses packages that need the Node 24 we are about to bring. Run again with npm_config_engine_strict=false.',
    );
}

/** Whether npm can make and write this folder. */
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

/** Absolute path of a Node of version 24 or newer: the one npm brought, or the one we run on. */
export function node24() {
  const brought = broughtNode();
  if (bringsNode && existsSync(brought)) return brought;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `Node 24 is needed; npm brings it on Linux (x64, arm64) only, and this is Node ${process.versions.node} on ${process.platform}.`,
  );
}

/** Build the console unless the build at hand was made from just these sources. */
export function ensureBuilt() {
  if (!build()) fail('The console could not be built; the messages stand above.');
}

/** The same, and whether it succeeded. */
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
    // The bundle is the same whatever NODE_ENV the shell has.
    env: { ...environment(), NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) return false;
  writeFileSync(stamp, sources);
  return true;
}

/** Our environment with Node 24 first on the path, so that each tool runs on it whatever the machine has. */
export function environment() {
  return { ...process.env, PATH: `${dirname(node24())}${delimiter}${process.env.PATH}` };
}

const PARENT_CHECK_MS = 500;

/** npm passes a signal on, unless it is one that it cannot handle. What it started must not stay behind then. */
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
 * Run a program on Node 24 to its end, hand our signals on, and leave with its exit code.
 * @param service one that nobody types to: it gets a process group of its own, so that Ctrl-C and whatever else is sent to the
 * whole of ours reaches it once, through us, and it can stop in its own order
 */
export function runToEnd(args, { service = false } = {}) {
  const command = [node24(), '--disable-warning=ExperimentalWarning', ...args];
  // The kernel ends the program when even kill -9 ends us, so that nothing stays behind that nobody sees.
  if (existsSync('/usr/bin/setpriv')) command.unshift('/usr/bin/setpriv', '--pdeathsig', 'TERM');
  const stdio = [service ? 'ignore' : 'inherit', 'inherit', 'inherit'];
  const child = spawn(command[0], command.slice(1), { cwd: root, env: environment(), stdio, detached: service });
  // A terminal sends Ctrl-C to the whole group by itself.
  process.on('SIGINT', () => (!service && process.stdin.isTTY) || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A service reads its certificates again; what runs in a terminal ends with it.
  process.on('SIGHUP', () => child.kill(service ? 'SIGHUP' : 'SIGTERM'));
  if (process.env['npm_lifecycle_event'] !== undefined) onParentGone(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
    child.on('exit', (code, signal) => resolve(code ?? 128 + (system.signals[signal] ?? 0)));
  });
}
