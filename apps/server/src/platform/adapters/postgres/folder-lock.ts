import { spawnSync } from 'node:child_process';
import {
  closeSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../../settings/settings-file.ts';

/** Time limit for the PostgreSQL of a dead process to write its checkpoint before it is stopped without one. */
const TIMEOUT_MS = 30_000;

/** The process that holds a folder, as recorded in its lock file. */
interface Holder {
  readonly pid: number;
  /** Start of that process in clock ticks since boot: the pid alone may have been reused. */
  readonly started: string;
  readonly host: string;
  /** Its folder for sockets, removed by the next holder after a kill -9. */
  readonly sockets: string;
  /** It is about to release the folder: the next holder waits for it. */
  readonly isStopping?: boolean;
}

export interface FolderLock {
  /** Pass this descriptor to PostgreSQL: the folder then stays locked until the last of its processes ends. */
  readonly descriptor: number;
  /** Socket folder of the previous holder, if it did not remove it. */
  readonly leftSockets: string | undefined;
  /** Record the holder of the lock. @param isStopping the next one waits for its end instead of failing */
  sign(sockets: string, isStopping?: boolean): void;
  release(): void;
}

/**
 * Lock `folder` with the kernel's flock, which is released when its holders end and so never goes stale.
 *
 * If the previous holder has died, its PostgreSQL may still be stopping: wait for it.
 * @throws StartupError when another running Highline uses the folder
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const descriptor = openLock(folder);
  try {
    await takeLock(folder, descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return {
    descriptor,
    leftSockets: readHolder(folder)?.sockets,
    sign: (sockets, isStopping = false) => sign(descriptor, sockets, isStopping),
    release: () => closeSync(descriptor),
  };
}

/** The socket folder of the running process that holds `folder`; undefined when there is none on this machine. */
export function findHolder(folder: string): string | undefined {
  const holder = readHolder(folder);
  return holder !== undefined && holder.host === hostname() && isAlive(holder) ? holder.sockets : undefined;
}

function openLock(folder: string): number {
  try {
    const descriptor = openSync(join(folder, 'lock'), 'a+', 0o600);
    const owner = statSync(folder);
    if (fstatSync(descriptor).uid !== owner.uid) fchownSync(descriptor, owner.uid, owner.gid);
    return descriptor;
  } catch (error) {
    throw new StartupError(`${folder} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

async function takeLock(folder: string, descriptor: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const deadline = Date.now() + TIMEOUT_MS;
    let signalled = false;
    while (Date.now() < deadline) {
      if (tryLock(descriptor)) return;
      const holder = readHolder(folder);
      if (holder !== undefined && holder.isStopping !== true && isAlive(holder)) throw inUse(folder, holder);
      signalled ||= signalOrphan(folder, signal);
      await wait(20);
    }
  }
  throw inUse(folder, readHolder(folder));
}

/** flock(1) locks the open file behind the inherited descriptor, which this process shares: the lock stays when flock exits. */
function tryLock(descriptor: number): boolean {
  const { error, status, stderr } = spawnSync('flock', ['--nonblock', '3'], { stdio: ['ignore', 'ignore', 'pipe', descriptor] });
  if (error) throw new StartupError(`flock, setpriv and unshare (package util-linux) are required: ${error.message}`);
  if (status === 0) return true;
  if (status === 1 && stderr.length === 0) return false;
  throw new StartupError(`The folder cannot be locked: ${stderr.toString().trim()}`);
}

function inUse(folder: string, holder: Holder | undefined): StartupError {
  const where = holder === undefined || holder.host === hostname() ? '' : ` on ${holder.host}`;
  return new StartupError(
    `Another Highline (process ${holder?.pid ?? 'unknown'}${where}) uses this folder: ${folder}. Stop it first, or set HIGHLINE_DATA_DIR to another folder.`,
  );
}

function readHolder(folder: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function sign(descriptor: number, sockets: string, isStopping: boolean): void {
  const started = startOf(process.pid) ?? '';
  const holder: Holder = { pid: process.pid, started, host: hostname(), sockets, isStopping };
  ftruncateSync(descriptor);
  writeSync(descriptor, JSON.stringify(holder));
}

function isAlive(holder: Holder): boolean {
  return startOf(holder.pid) === holder.started;
}

/** Field 22 of /proc/<pid>/stat; undefined for a process that has ended or is a zombie. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * Signal a postmaster that outlived its Highline to stop; a repeated signal does no harm.
 * @returns whether there is one
 */
function signalOrphan(folder: string, signal: NodeJS.Signals): boolean {
  try {
    const data = join(folder, 'data');
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(data)) return false;
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
