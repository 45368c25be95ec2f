import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { ensureCluster, SUPERUSER, writeSettings } from './cluster.ts';
import { findHolder, lockFolder, type FolderLock } from './folder-lock.ts';
import { Postmaster, type SocketLogin } from './postmaster.ts';
import { chooseRunAs, give, type RunAs } from './run-as.ts';
import { StartupError } from '../../settings/settings-file.ts';

export interface EmbeddedOptions {
  /** Contains the database files, their lock and nothing else; created when missing. */
  readonly folder: string;
  readonly log: Log;
  /** Additional PostgreSQL settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** The role that owns the database and migrates it. */
  readonly owner: SocketLogin;
  /** The serving role: reads and writes rows, cannot change the schema. */
  readonly serve: SocketLogin;
  /** The cluster's superuser, in the database `postgres`. */
  readonly superuser: SocketLogin;
  /** Process id of the postmaster; undefined during a restart. */
  pid(): number | undefined;
  /** Stop PostgreSQL and release the folder. */
  stop(): Promise<void>;
}

const DATABASE = 'highline';
const OWNER = 'highline_owner';

/**
 * Start the embedded PostgreSQL on `folder`, creating the database at the first start. It restarts automatically when it dies,
 * and the kernel stops it when this process dies.
 * @throws StartupError when another Highline uses the folder, when the folder belongs to another user, or when PostgreSQL does
 * not start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  // The kernel's signal follows the thread that spawned it, and a worker may end before the process.
  if (!isMainThread) throw new Error('Start the embedded PostgreSQL from the main thread.');
  const binaries = findBinaries();
  makeFolder(options.folder);
  const lock = await lockFolder(options.folder);
  try {
    return await startLocked(options, binaries, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The owner's login of the database that a running Highline has started on `folder`; undefined when none runs. */
export function findRunning(folder: string): SocketLogin | undefined {
  const sockets = findHolder(folder);
  return sockets === undefined ? undefined : { host: sockets, port: 5432, user: OWNER, database: DATABASE };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartupError(`The folder ${folder} cannot be created: ${(error as Error).message}`, { cause: error });
  }
}

async function startLocked(options: EmbeddedOptions, binaries: Binaries, lock: FolderLock): Promise<EmbeddedPostgres> {
  const who = chooseRunAs(options.folder);
  const data = await ensureCluster(options.folder, binaries, who);
  const sockets = makeSocketFolder(who, lock.leftSockets);
  lock.sign(sockets);
  writeSettings(data, who, options.settings);
  // Under the lock no PostgreSQL of ours is running, but the pid in this file may belong to an unrelated process by now.
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const superuser: SocketLogin = { host: sockets, port: 5432, user: SUPERUSER, database: 'postgres' };
  const postmaster = new Postmaster({
    program: binaries.postgres,
    data,
    lock: lock.descriptor,
    log: options.log,
    superuser,
    who,
  });
  try {
    await postmaster.start();
    await ensureRoles(superuser);
  } catch (error) {
    await postmaster.stop();
    rmSync(sockets, { recursive: true, force: true });
    throw error;
  }
  return {
    owner: { ...superuser, user: OWNER, database: DATABASE },
    serve: { ...superuser, user: 'highline_serve', database: DATABASE },
    superuser,
    pid: () => postmaster.pid,
    async stop() {
      await postmaster.stop();
      rmSync(sockets, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Under systemd the folder for temporary files is private to the server, and commands such as `backup` could not connect. */
const socketParents = (): string[] => [...(process.env['RUNTIME_DIRECTORY']?.split(':', 1) ?? []), tmpdir()];

/** A socket address has at most 107 bytes, so a long path is ignored. */
function makeSocketFolder(who: RunAs, left: string | undefined): string {
  if (left !== undefined && basename(left).startsWith('highline-')) rmSync(left, { recursive: true, force: true });
  const parent = socketParents().find((path) => path !== '' && Buffer.byteLength(path) <= 60) ?? '/tmp';
  const folder = mkdtempSync(join(parent, 'highline-'));
  give(folder, who);
  return folder;
}

async function ensureRoles(superuser: SocketLogin): Promise<void> {
  const client = new Client(superuser);
  await client.connect();
  try {
    const roles = await client.query<{ rolname: string }>('select rolname from pg_roles');
    for (const role of [OWNER, 'highline_serve'])
      if (!roles.rows.some(({ rolname }) => rolname === role)) await client.query(`create role ${role} login`);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE} owner ${OWNER}`);
  } finally {
    await client.end();
  }
}
