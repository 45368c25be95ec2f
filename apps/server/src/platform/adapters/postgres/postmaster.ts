import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { plainEnvironment } from './cluster.ts';
import { commandAs, type RunAs } from './run-as.ts';
import { StartupError } from '../../settings/settings-file.ts';

/** Login over a Unix socket in a private folder, so there is no password. */
export interface SocketLogin {
  /** Folder of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** The login as a connection string. */
export function urlOf({ host, port, user, database }: SocketLogin): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

const KEPT_LOG_FILES = 5;
const PRUNE_MS = 3_600_000;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 10_000;

/** How and where the postmaster runs. */
interface PostmasterParts {
  readonly program: string;
  readonly data: string;
  /** Descriptor of the folder's lock, which PostgreSQL holds together with us. */
  readonly lock: number;
  readonly log: Log;
  readonly superuser: SocketLogin;
  readonly who: RunAs;
}

/** The main PostgreSQL process: started, monitored, restarted when it dies, stopped. */
export class Postmaster {
  readonly #parts: PostmasterParts;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #ready = false;
  #stderr = '';
  #restarting: Promise<void> = Promise.resolve();
  #pruning: NodeJS.Timeout | undefined;

  constructor(parts: PostmasterParts) {
    this.#parts = parts;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Start it and wait until it accepts a connection, however long crash recovery takes.
   * @throws StartupError when it ends before that
   */
  async start(): Promise<void> {
    pruneLogs(this.#parts.data);
    this.#pruning ??= setInterval(() => this.#prune(), PRUNE_MS).unref();
    const child = this.#spawn();
    const reporting = this.#logWhileRecovering();
    try {
      while (!(await this.#isUp())) {
        if (this.#child !== child) throw new StartupError(`PostgreSQL did not start:\n${this.#lastOutput()}`);
        await wait(10);
      }
      this.#ready = true;
    } finally {
      clearInterval(reporting);
    }
  }

  /** Fast shutdown: open transactions are rolled back, committed data is written. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#pruning);
    const steps = [
      ['SIGINT', 20_000],
      ['SIGQUIT', 5000],
      ['SIGKILL', 5000],
    ] as const;
    for (const [signal, timeoutMs] of steps) if (await this.#gone(signal, timeoutMs)) break;
    await this.#restarting;
  }

  #prune(): void {
    try {
      pruneLogs(this.#parts.data);
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'Old log files of PostgreSQL could not be deleted.');
    }
  }

  #spawn(): ChildProcess {
    const { program, data, lock, superuser, who } = this.#parts;
    const args = ['-D', data, '-k', superuser.host, '-p', String(superuser.port)];
    const child = spawn('setpriv', commandAs(who, 'INT', program, args), {
      cwd: '/',
      env: plainEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', lock],
      // Ctrl-C reaches the whole foreground group; PostgreSQL must outlive the calls still in progress.
      detached: true,
    });
    this.#child = child;
    this.#ready = false;
    this.#stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (this.#stderr = (this.#stderr + chunk.toString()).slice(-4000)));
    child.on('error', (error) => {
      this.#stderr += error.message;
      this.#child = undefined;
    });
    child.on('exit', (code, signal) => this.#ended(code, signal));
    return child;
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    this.#child = undefined;
    if (!this.#ready || this.#stopping.signal.aborted) return;
    this.#ready = false;
    this.#parts.log.error({ code, signal }, 'PostgreSQL ended unexpectedly; restarting.');
    this.#restarting = this.#restart(FIRST_DELAY_MS);
  }

  async #restart(delay: number): Promise<void> {
    try {
      await wait(delay, undefined, { signal: this.#stopping.signal });
      await this.start();
      this.#parts.log.info({ pid: this.pid }, 'PostgreSQL restarted.');
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#parts.log.error({ err: error }, 'PostgreSQL could not be restarted.');
      await this.#restart(Math.min(delay * 2, LONGEST_DELAY_MS));
    }
  }

  #logWhileRecovering(): NodeJS.Timeout {
    const begun = performance.now();
    const report = () => {
      const seconds = Math.round((performance.now() - begun) / 1000);
      this.#parts.log.info({ seconds }, 'PostgreSQL is still recovering');
    };
    return setInterval(report, 5000);
  }

  async #isUp(): Promise<boolean> {
    const client = new Client({ ...this.#parts.superuser, connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  }

  #lastOutput(): string {
    if (!this.#stderr.includes('logging collector')) return this.#stderr.trim();
    const newest = logFiles(this.#parts.data).at(-1);
    return newest === undefined ? this.#stderr.trim() : readFileSync(newest, 'utf8').slice(-2000).trim();
  }

  #gone(signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
    const child = this.#child;
    if (child === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve(true);
      });
      child.kill(signal);
    });
  }
}

/** PostgreSQL starts a new file at 10 MB and never deletes one. */
function pruneLogs(data: string): void {
  for (const file of logFiles(data).slice(0, -KEPT_LOG_FILES)) rmSync(file, { force: true });
}

function logFiles(data: string): string[] {
  try {
    const folder = join(data, 'log');
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
