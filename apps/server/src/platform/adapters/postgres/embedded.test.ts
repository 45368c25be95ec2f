import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findRunning, startEmbedded } from './embedded.ts';
import { urlOf, type SocketLogin } from './postmaster.ts';

const NOBODY = 65_534;
/** Far longer than anything here takes on a busy machine. */
const LONG_MS = 120_000;
vi.setConfig({ testTimeout: 2 * LONG_MS, hookTimeout: 2 * LONG_MS });

/** A process like the server's: it starts PostgreSQL and inserts rows until it is stopped. For an idle one an hour passes at each SIGUSR2. */
const program = `
import { mock } from 'node:test';
import { openDatabase, isConnectionFault } from ${JSON.stringify(new URL('connect.ts', import.meta.url).href)};
import { startEmbedded } from ${JSON.stringify(new URL('embedded.ts', import.meta.url).href)};
const [folder, what] = process.argv.slice(1);
const tell = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const log = { debug() {}, info() {}, warn() {}, error: (fields, sentence) => tell({ error: sentence }) };
const stopped = new Promise((resolve) => process.once('SIGTERM', resolve));
try {
  if (what === 'idle') {
    mock.timers.enable({ apis: ['setInterval'] });
    process.on('SIGUSR2', () => mock.timers.tick(3_600_000));
    const { pid, superuser, stop } = await startEmbedded({ folder, log });
    tell({ up: pid(), superuser });
    await stopped;
    await stop();
  } else {
    const database = await openDatabase({ kind: 'embedded', folder, poolSize: 4 }, log);
    await database.withOwner((owner) => owner.query('create table acknowledged (n bigint); grant all on acknowledged to highline_serve'));
    tell({ up: 1 });
    let on = true;
    stopped.then(() => (on = false));
    for (let n = 1; on; n += 1) {
      try {
        await database.pool.query('insert into acknowledged values ($1)', [n]);
        tell({ n });
      } catch (error) {
        tell({ fault: isConnectionFault(error) ? 'connection' : String(error) });
      }
    }
    await database.close();
  }
  tell({ down: true });
} catch (error) {
  tell({ rejected: error.name + ': ' + error.message });
  process.exitCode = 1;
}`;

interface Event {
  up?: number;
  superuser?: SocketLogin;
  n?: number;
  fault?: string;
  error?: string;
  rejected?: string;
  down?: boolean;
}

/** User and PATH of the process. */
interface Circumstances {
  readonly as?: 'nobody';
  readonly env?: NodeJS.ProcessEnv;
}

/** For root: continue as an ordinary user that can still read these sources (root's home is closed to others). */
const becomeNobody =
  'setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override'.split(' ');

/** The program above as a process, and all of its output events. */
class Highline {
  readonly child: ChildProcess;
  readonly events: Event[] = [];
  readonly exited: Promise<void>;

  constructor(folder: string, what: 'idle' | 'busy', { as, env }: Circumstances = {}) {
    const [command, ...args] = [
      ...(as === 'nobody' ? becomeNobody : []),
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      program,
      folder,
      what,
    ];
    this.child = spawn(command ?? '', args, {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(env === undefined ? {} : { env }),
    });
    this.exited = new Promise((resolve) => {
      this.child.once('close', () => resolve());
    });
    if (this.child.stdout) createInterface(this.child.stdout).on('line', (line) => this.events.push(JSON.parse(line) as Event));
    running.push(this);
  }

  /** Wait for a matching event. */
  async emitted(fits: (event: Event) => unknown): Promise<Event> {
    return vi.waitUntil(() => this.events.find((event) => fits(event)), { timeout: LONG_MS, interval: 10 });
  }

  acknowledged(): number[] {
    return this.events.flatMap(({ n }) => (n === undefined ? [] : [n]));
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.exited;
  }
}

let made: string;
let root: string;
let folder: string;
const running: Highline[] = [];

/** A cluster created once; tests that do not cover the first start use a copy of it. */
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'highline-made-'));
  const highline = new Highline(made, 'idle');
  await highline.emitted((event) => event.up);
  await highline.stop();
  running.length = 0;
});
afterAll(() => {
  rmSync(made, { recursive: true, force: true });
  vi.resetConfig();
});

function copyMade(): void {
  spawnSync('cp', ['-a', made, folder]);
}

/** A folder for PATH in which `name` is this shell script. */
function programInstead(name: string, script: string): NodeJS.ProcessEnv {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'highline-embedded-'));
  chmodSync(root, 0o755);
  folder = join(root, 'postgres');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((highline) => highline.stop()));
  await nothingRunsOn(folder);
  rmSync(root, { recursive: true, force: true });
});

/** Every PostgreSQL process has its data folder as working directory. */
function processesOn(data: string): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return processes.filter((name) => workingDirectory(name) === data).map((name) => `/proc/${name}`);
}

function workingDirectory(process: string): string | undefined {
  try {
    return readlinkSync(`/proc/${process}/cwd`);
  } catch {
    // It is gone.
    return undefined;
  }
}

const nothingRunsOn = (of: string) =>
  vi.waitUntil(() => processesOn(join(of, 'data')).length === 0, { timeout: LONG_MS, interval: 50 });

async function query(login: SocketLogin | undefined, text: string): Promise<unknown[]> {
  if (login === undefined) throw new Error('It is not up.');
  const client = new Client({ ...login, database: 'highline' });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Commit a row, stop, start again. */
async function rowAfterRestart(circumstances: Circumstances = {}): Promise<unknown> {
  const first = new Highline(folder, 'idle', circumstances);
  const { superuser } = await first.emitted((event) => event.up ?? event.rejected);
  await query(superuser, "create table kept as select 7 as n, current_setting('data_checksums') as checksums");
  await first.stop();
  const left = {
    last: first.events.at(-1),
    processes: processesOn(join(folder, 'data')),
    socket: existsSync(superuser?.host ?? ''),
  };
  const second = new Highline(folder, 'idle', circumstances);
  const up = await second.emitted((event) => event.up ?? event.rejected);
  return { row: await query(up.superuser, 'select n, checksums from kept'), left };
}

const kept = { row: [7, 'on'], left: { last: { down: true }, processes: [], socket: false } };

test('committed data survives a stop and a start, and a stop leaves no process behind', async () => {
  expect(await rowAfterRestart()).toEqual(kept);
});

test('NOD-06-partial under a service manager its sockets are where a command finds them, and not in a folder that only the server sees', async () => {
  copyMade();
  // Short, as /run/highline is.
  const runtime = mkdtempSync('/tmp/run-');
  const env = { ...process.env, RUNTIME_DIRECTORY: runtime, TMPDIR: join(root, 'private') };
  const highline = new Highline(folder, 'idle', { env });
  const { superuser, rejected } = await highline.emitted((event) => event.up ?? event.rejected);
  expect(rejected).toBeUndefined();
  expect(dirname(superuser!.host)).toBe(runtime);
  expect(findRunning(folder)?.host).toBe(superuser!.host);
  expect(await query(superuser, 'select 1')).toEqual([1]);
  await highline.stop();
  rmSync(runtime, { recursive: true });
});

// The available users depend on the user that runs the tests; a run as root and one as an ordinary user together cover
// everything.
if (process.getuid?.() === 0) {
  test('an ordinary user can do the same', async () => {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, NOBODY, NOBODY);
    expect(await rowAfterRestart({ as: 'nobody' })).toEqual(kept);
  });

  test('root can do the same where user namespaces are forbidden, even below a closed folder', async () => {
    const blocked = programInstead('unshare', 'exit 1');
    chmodSync(root, 0o700);
    expect(await rowAfterRestart({ env: blocked })).toEqual(kept);
  });

  test('a folder of another user is rejected with a clear message', async () => {
    copyMade();
    chmodSync(folder, 0o777);
    chmodSync(join(folder, 'lock'), 0o666);
    const theirs = new Highline(folder, 'idle', { as: 'nobody' });
    const { rejected } = await theirs.emitted((event) => event.up ?? event.rejected);
    expect(rejected).toMatch(/^StartupError: .* belongs to another user \(uid 0, and this is uid 65534\)/u);
  });
}

test('a second start on the same folder names the process that uses it, and disturbs nothing', async () => {
  copyMade();
  const first = new Highline(folder, 'idle');
  const { superuser } = await first.emitted((event) => event.up);
  const second = new Highline(folder, 'idle');
  const { rejected } = await second.emitted((event) => event.up ?? event.rejected);
  expect(rejected).toContain(`Another Highline (process ${first.child.pid}) uses this folder: ${folder}.`);
  expect(await query(superuser, 'select 1')).toEqual([1]);
});

test('kill -9 of the server leaves no PostgreSQL behind, and every acknowledged row exists at the next start', async () => {
  copyMade();
  const first = new Highline(folder, 'busy');
  await first.emitted(({ n }) => n === 300);
  first.child.kill('SIGKILL');
  await first.exited;
  await nothingRunsOn(folder);
  const second = new Highline(folder, 'idle');
  const { superuser } = await second.emitted((event) => event.up ?? event.rejected);
  const found = new Set(await query(superuser, 'select n::integer from acknowledged'));
  expect(first.acknowledged().length).toBeGreaterThanOrEqual(300);
  expect(first.acknowledged().filter((n) => !found.has(n))).toEqual([]);
  await second.stop();
  expect(processesOn(join(folder, 'data'))).toEqual([]);
});

test('kill -9 of PostgreSQL fails queries briefly; it is restarted, the pool recovers, no acknowledged row is lost', async () => {
  copyMade();
  const highline = new Highline(folder, 'busy');
  await highline.emitted(({ n }) => n === 200);
  const [postmaster] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  const lost = await highline.emitted(({ fault }) => fault);
  expect(lost.fault).toBe('connection');
  const before = highline.acknowledged().length;
  await vi.waitUntil(() => highline.acknowledged().length > before + 200, { timeout: LONG_MS, interval: 10 });
  await highline.stop();
  expect(new Set(highline.events.flatMap(({ fault }) => fault ?? []))).toEqual(new Set(['connection']));

  const again = new Highline(folder, 'idle');
  const { superuser } = await again.emitted((event) => event.up ?? event.rejected);
  const found = new Set(await query(superuser, 'select n::integer from acknowledged'));
  expect(highline.acknowledged().filter((n) => !found.has(n))).toEqual([]);
});

test('a lock and a pid file that name an unrelated process do not block the start', async () => {
  copyMade();
  const holder = { pid: process.pid, started: '1', host: 'elsewhere', sockets: '/nowhere' };
  writeFileSync(join(folder, 'lock'), JSON.stringify(holder));
  writeFileSync(join(folder, 'data', 'postmaster.pid'), `${process.pid}\n${join(folder, 'data')}\n`);
  const highline = new Highline(folder, 'idle');
  expect(await highline.emitted((event) => event.up ?? event.rejected)).toHaveProperty('up');
});

test('a PostgreSQL that the kernel failed to stop is stopped by the next start', async () => {
  copyMade();
  const deaf = programInstead('setpriv', 'shift 2; exec env "$@"');
  const first = new Highline(folder, 'idle', { env: deaf });
  const { up: orphan } = await first.emitted((event) => event.up ?? event.rejected);
  first.child.kill('SIGKILL');
  await first.exited;
  expect(processesOn(join(folder, 'data'))).toContain(`/proc/${orphan}`);
  const second = new Highline(folder, 'idle');
  const { up } = await second.emitted((event) => event.up ?? event.rejected);
  const processes = processesOn(join(folder, 'data'));
  expect(processes).toContain(`/proc/${up}`);
  expect(processes).not.toContain(`/proc/${orphan}`);
});

test('a first start that is killed leaves nothing incomplete', async () => {
  const first = new Highline(folder, 'idle');
  await vi.waitUntil(() => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('new-')), {
    timeout: LONG_MS,
    interval: 1,
  });
  first.child.kill('SIGKILL');
  await first.exited;
  expect(first.events).toEqual([]);
  const second = new Highline(folder, 'idle');
  expect(await second.emitted((event) => event.up ?? event.rejected)).toHaveProperty('up');
  expect(readdirSync(folder).sort()).toEqual(['data', 'lock']);
});

test('log files of PostgreSQL are pruned each hour while it runs', async () => {
  const highline = new Highline(folder, 'idle');
  await highline.emitted((event) => event.up ?? event.rejected);
  const logs = join(folder, 'data', 'log');
  for (let n = 0; n < 9; n++) writeFileSync(join(logs, `postgresql-2020010${n + 1}-000000.log`), '');
  highline.child.kill('SIGUSR2');
  await vi.waitUntil(() => readdirSync(logs).length === 5, { timeout: LONG_MS, interval: 50 });
  // The oldest were deleted.
  expect(readdirSync(logs).toSorted()[0]).not.toMatch(/2020010[1-4]/u);
  await highline.stop();
});

test('files of another major version are rejected, not changed', async () => {
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', 'PG_VERSION'), '17\n');
  const highline = new Highline(folder, 'idle');
  const { rejected } = await highline.emitted((event) => event.up ?? event.rejected);
  expect(rejected).toContain('was created by PostgreSQL 17; this Highline includes PostgreSQL 18');
  expect(readdirSync(join(folder, 'data'))).toEqual(['PG_VERSION']);
});

test('a PostgreSQL that does not start reports why', async () => {
  copyMade();
  writeFileSync(join(folder, 'data', 'postgresql.conf'), "include 'highline.conf'\nshared_buffers = 'plenty'\n");
  const highline = new Highline(folder, 'idle');
  const { rejected } = await highline.emitted((event) => event.up ?? event.rejected);
  expect(rejected).toMatch(/PostgreSQL did not start:.*shared_buffers.*plenty/su);
});

test('it cannot be started from a worker, because it would end with the worker', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  await expect(startEmbedded({ folder, log })).rejects.toThrow('main thread');
  expect(urlOf({ host: '/tmp/x', port: 1, user: 'u', database: 'd' })).toBe('postgresql://u@/d?host=%2Ftmp%2Fx&port=1');
});
