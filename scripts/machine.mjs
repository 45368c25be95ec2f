// Requirements of the tests besides npm: a browser with a Chinese font, an external PostgreSQL, a stock ssh.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say } from './toolchain.mjs';

const isRoot = process.getuid?.() === 0;

/** Headless Chromium: the same engine, which needs about half the CPU. */
const SHELL = 'chromium-headless-shell';

/** An installed Chromium or Chrome; undefined when there is none. */
export function findChromium() {
  const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const system = names.map((name) => `/usr/bin/${name}`);
  const playwrights = join(homedir(), '.cache', 'ms-playwright');
  const builds = list(playwrights)
    .filter((name) => /^chromium-\d+$/.test(name))
    .map((name) => join(playwrights, name, 'chrome-linux', 'chrome'));
  return [process.env.CHROMIUM_PATH, ...system, ...builds].find((path) => path && existsSync(path));
}

/** Program folder of the oldest PostgreSQL from 15 on; undefined when there is none. */
export function findPostgres() {
  const folder = '/usr/lib/postgresql';
  const [version] = list(folder)
    .map(Number)
    .filter((number) => number >= 15 && existsSync(join(folder, String(number), 'bin', 'initdb')))
    .sort((a, b) => a - b);
  return version === undefined ? undefined : join(folder, String(version), 'bin');
}

/** The installed ssh; undefined when there is none. */
export function findSsh() {
  return ['/usr/bin/ssh', '/usr/local/bin/ssh'].find((path) => existsSync(path));
}

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory for test output: cloning a database is ten times as fast there as on a disk. Undefined when there is none,
 * or it is too small (containers), or does not allow programs.
 */
export function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES && runsPrograms(MEMORY) ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}

function runsPrograms(parent) {
  const folder = mkdtempSync(join(parent, 'highline-try-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * As root on Debian and derivatives, install what is missing. Elsewhere, tests with missing requirements are skipped with a
 * message.
 */
export function installMissing() {
  const hasFont = () => spawnSync('dpkg', ['-s', 'fonts-noto-cjk'], { stdio: 'ignore' }).status === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return;
  const hasShell = existsSync(`/usr/bin/${SHELL}`) || process.env.CHROMIUM_PATH;
  const missing = [
    ...(hasFont() ? [] : ['fonts-noto-cjk']),
    ...(findPostgres() ? [] : ['postgresql']),
    ...(findSsh() ? [] : ['openssh-client']),
  ];
  if (missing.length === 0 && hasShell) return;
  say(`Installing with apt-get, for the tests: ${[...(hasShell ? [] : [SHELL]), ...missing].join(', ')} …`);
  withoutMainCluster(() => {
    explain(aptGet('update'));
    if (missing.length > 0) explain(install(...missing));
    // Not every Debian derivative has the headless shell.
    if (!hasShell && install(SHELL).status !== 0 && findChromium() === undefined) explain(install('chromium'));
  });
}

const install = (...packages) => aptGet('install', '-y', '--no-install-recommends', ...packages);

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { env, encoding: 'utf8' });
}

function explain({ status, stdout, stderr }) {
  if (status !== 0) say(`apt-get failed:\n${`${stdout}${stderr}`.slice(-2000)}`);
}

/** Debian's package creates and starts an unneeded cluster on port 5432 unless a file like this prevents it. */
function withoutMainCluster(work) {
  const folder = '/etc/postgresql-common/createcluster.d';
  const file = join(folder, 'highline-test.conf');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
  work();
  rmSync(file);
}
