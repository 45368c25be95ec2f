import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { commandAs, give, type RunAs } from './run-as.ts';
import { StartupError } from '../../settings/settings-file.ts';

export const SUPERUSER = 'postgres';
/** Major version of the embedded PostgreSQL; it cannot read files of another one. */
const MAJOR = '18';
const MiB = 1024 * 1024;

/**
 * Create the database files below `folder` if missing. They are created under another name and renamed, so a kill leaves nothing
 * incomplete.
 * @returns the data folder
 * @throws StartupError when initdb fails or the files have another major version
 */
export async function ensureCluster(folder: string, binaries: Binaries, who: RunAs): Promise<string> {
  const data = join(folder, 'data');
  for (const name of readdirSync(folder)) if (name.startsWith('new-')) rmSync(join(folder, name), { recursive: true });
  if (!existsSync(data)) {
    const aside = join(folder, `new-${process.pid}`);
    mkdirSync(aside, { mode: 0o700 });
    give(aside, who);
    await initialise(aside, binaries, who);
    renameSync(aside, data);
  }
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR)
    throw new StartupError(
      `${data} was created by PostgreSQL ${version}; this Highline includes PostgreSQL ${MAJOR}. Make a backup with the version that created it and restore it here.`,
    );
  return data;
}

async function initialise(data: string, binaries: Binaries, who: RunAs): Promise<void> {
  // The builtin provider handles Unicode identically on every machine; under plain C, pg_trgm finds nothing in Chinese.
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--data-checksums',
    '--no-instructions',
    ...locale,
  ];
  const { code, output } = await run(commandAs(who, 'KILL', binaries.initdb, args));
  if (code !== 0) throw new StartupError(`The database could not be created in ${data}:\n${output.trim()}`);
  // Trust every client of the socket: its folder is private to the user that runs PostgreSQL, and there is no TCP.
  writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\n');
  writeFileSync(
    join(data, 'postgresql.conf'),
    "# Highline rewrites its settings at every start; lines below this one override them.\ninclude 'highline.conf'\n",
  );
}

function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('setpriv', args, { cwd: '/', env: plainEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** PostgreSQL reads PG… and locale variables; pass none of ours. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC } = process.env;
  // Where the clock of this process is moved (libfaketime), that of PostgreSQL is too.
  const clock = FAKETIME === undefined ? {} : { LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC };
  return { PATH, LC_ALL: 'C', ...clock };
}

/** Write `highline.conf` for this machine. `more` overrides the defaults; tests disable durability with it. */
export function writeSettings(data: string, who: RunAs, more: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ ...settingsFor(memory()), ...more }).map(([name, value]) => `${name} = '${value}'`);
  const file = join(data, 'highline.conf');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  for (const name of [file, join(data, 'pg_hba.conf'), join(data, 'postgresql.conf')]) give(name, who);
}

function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function settingsFor(bytes: number): Record<string, string> {
  const shared = Math.min(2048, Math.max(64, Math.floor(bytes / MiB / 8)));
  return {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: '100',
    // Always durable: a router is acknowledged only after its data is on disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    shared_buffers: `${shared}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(bytes / MiB / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    huge_pages: 'off',
    random_page_cost: '1.1',
    // Page queries are far cheaper than compiling their plan, or starting processes to help: only long ones get those.
    jit: 'off',
    parallel_setup_cost: '10000',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgresql-%Y%m%d-%H%M%S.log',
    log_rotation_size: '10MB',
    log_rotation_age: '0',
    log_line_prefix: '%m [%p] %q%u@%d ',
    log_min_duration_statement: '1s',
    // Values may contain secrets; statements do not.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  };
}
