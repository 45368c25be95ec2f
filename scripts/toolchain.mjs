// What every launcher shares. Plain JavaScript that runs on Node 20 with no node_modules: it is what brings both about.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installStamp = join(root, 'node_modules', '.highline-install');

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
  const lock = hashOf([join(root, 'package-lock.json')]);
  if (existsSync(installStamp) && readFileSync(installStamp, 'utf8') === lock) return;
  if (process.env.npm_config_engine_strict === 'true')
    fail('npm is set to engine-strict, which refuses the packages that bring our own Node. Run again with npm_config_engine_strict=false.');
  if (/\boptional\b/.test(process.env.npm_config_omit ?? ''))
    fail('npm is set to omit optional packages; Node 24 and PostgreSQL come as such. Run again without --omit=optional.');
  say('Installing packages (npm ci) …');
  // npm's own variables describe the script that called us; a nested npm must find its settings itself.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_(?!config_)/.test(key)));
  const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'], { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.status !== 0) fail('npm ci did not succeed; its messages stand above.');
  writeFileSync(installStamp, lock);
}

/** Absolute path of a Node of version 24 or newer: the one npm brought, or the one we run on. */
export function node24() {
  const brought = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (process.platform === 'linux' && existsSync(brought)) return brought;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(`Node 24 is needed; npm brings it on Linux (x64, arm64) only, and this is Node ${process.versions.node} on ${process.platform}.`);
}

/** Build the console unless the build at hand was made from just these sources. */
export function ensureBuilt() {
  const consoleFolder = join(root, 'apps', 'console');
  const stamp = join(consoleFolder, 'dist', '.built-from');
  const sources = hashOf([...filesBelow(consoleFolder), ...filesBelow(join(root, 'packages', 'contract')), join(root, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  say('Building the console …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const done = spawnSync(node24(), [vite, 'build', '--logLevel', 'warn'], { cwd: consoleFolder, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) fail('The console could not be built; the messages stand above.');
  writeFileSync(stamp, sources);
}

/** Run a program on Node 24 to its end, hand our signals on, and leave with its exit code. */
export function runToEnd(args, env = process.env) {
  const child = spawn(node24(), ['--disable-warning=ExperimentalWarning', ...args], { cwd: root, env, stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group by itself; the listeners only keep us alive until the child has stopped.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}
