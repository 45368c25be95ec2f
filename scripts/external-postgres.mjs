// An external PostgreSQL as customers run it: over TCP, with passwords, in a temporary cluster.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const settings = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=200',
  // Compiling a plan costs more than the few rows of a test; a plan's result does not depend on it.
  'jit=off',
];

/**
 * Start a cluster with the programs in `bin`, as an ordinary user.
 * @returns its superuser's connection string, its version, and a function that stops it and removes its files
 */
export async function startExternalPostgres(bin) {
  const folder = mkdtempSync(join(tmpdir(), 'highline-external-'));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  try {
    return await startIn(folder, bin);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder, bin) {
  const password = randomBytes(12).toString('hex');
  const data = join(folder, 'data');
  initialise(folder, bin, password);
  const port = await freePort();
  const args = [
    join(bin, 'postgres'),
    '-D',
    data,
    '-k',
    folder,
    '-p',
    String(port),
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  // The kernel stops it when we are killed, so that no cluster is left behind.
  const child = spawn('setpriv', ['--pdeathsig', 'INT', ...asUser(), ...args], { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => (output = `${output}${chunk}`.slice(-2000)));
  while (!isReady(data)) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
    await wait(20);
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null) {
      child.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    version: readFileSync(join(data, 'PG_VERSION'), 'utf8').trim(),
    stop,
  };
}

function initialise(folder, bin, password) {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (isRoot) chownSync(passwordFile, NOBODY, NOBODY);
  const args = [
    '-D',
    join(folder, 'data'),
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--no-locale',
    '-N',
  ];
  const [command, ...rest] = [...(isRoot ? ['setpriv', ...asUser()] : []), join(bin, 'initdb'), ...args];
  const done = spawnSync(command, rest, { cwd: '/', encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`initdb failed: ${done.error?.message ?? done.stderr}`);
}

/** PostgreSQL does not run as root. */
function asUser() {
  return isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
}

/** The eighth line of postmaster.pid shows when connections are accepted. */
function isReady(data) {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
