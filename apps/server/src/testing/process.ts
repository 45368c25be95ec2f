import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPauses } from './pauses.ts';

/** Arguments of a demo server whose routers another process would start, and that has no measurements of the days before. */
export const ONLY_RECORDS: readonly string[] = ['--separate-fleet', '--without-past'];

const program = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A whole server in a separate process, which can be killed and restarted on the same folder and port. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  /** Kill -9, and wait until it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: it stands still, and its sockets stay open. */
  freeze(): void;
  /** SIGCONT. */
  resume(): void;
  /** Kill -9 the postmaster of its PostgreSQL. */
  killDatabase(): void;
  start(): Promise<void>;
  /** SIGTERM, and wait. @returns its exit code */
  stop(): Promise<number | null>;
}

/** What the process shares with other servers. */
export interface SharedDatabase {
  readonly ownerUrl: string;
  readonly serveUrl: string;
  /** 32 bytes in hex. */
  readonly masterKey: string;
  /** Where they reach each other and find their files. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The server's main.ts at each start, when it may be that of another version. */
  readonly program?: () => string;
}

/**
 * A demo with a database of its own, or a production server on a shared one.
 * @param offlineSeconds silence after which a router counts as offline
 * @param more arguments of the demo; by default its own routers, 36 in three processes, are not started, and it has no past
 */
export async function startServerProcess(
  dataDir: string,
  offlineSeconds = 4,
  more = ONLY_RECORDS,
  shared?: SharedDatabase,
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const gone = (running: ChildProcess) =>
    new Promise<number | null>((resolve) => {
      if (running.exitCode !== null || running.signalCode !== null) resolve(running.exitCode);
      else running.once('exit', (code) => resolve(code));
    });
  const start = async () => {
    const env = {
      ...process.env,
      PORT: String(port),
      HIGHLINE_DATA_DIR: dataDir,
      LOG_LEVEL: 'fatal',
      DATABASE_POOL_SIZE: '4',
      ROUTER_OFFLINE_SECONDS: String(offlineSeconds),
      DATABASE_URL: shared?.ownerUrl ?? '',
      DATABASE_SERVE_URL: shared?.serveUrl ?? '',
      ...(shared && {
        HIGHLINE_MASTER_KEY: shared.masterKey,
        PUBLIC_URL: url,
        TUNNEL_URL: url,
        SMTP_URL: 'none',
        ...shared.environment,
      }),
    };
    const mode = shared === undefined ? ['demo', ...more] : ['serve'];
    const main = shared?.program?.() ?? program;
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...mode], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    let output = '';
    started.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`The server ended: ${output}`);
      return (await fetch(`${url}/healthz`)).ok;
    });
  };
  await start();
  return {
    url,
    port,
    start,
    async kill() {
      child!.kill('SIGKILL');
      await gone(child!);
    },
    freeze: () => void child!.kill('SIGSTOP'),
    resume: () => void child!.kill('SIGCONT'),
    killDatabase() {
      const [pid] = readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    async stop() {
      child!.kill('SIGTERM');
      return gone(child!);
    },
  };
}

/**
 * A free port of loopback below the range that systems assign (Linux: from 32768 on), so that it is still free when a killed
 * server restarts on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!(await isListening)) return false;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return true;
}

/** Poll a condition until it holds. A failing check counts as no, unless time is up. */
export async function until(question: () => Promise<boolean> | boolean, timeoutMs = 150_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const nextLook = createPauses(50);
  for (;;) {
    const last = Date.now() > deadline;
    try {
      if (await question()) return;
    } catch (error) {
      if (last || /ended/u.test(String(error))) throw error;
    }
    if (last) throw new Error(`Condition not met after ${timeoutMs} ms: ${question.toString()}`);
    await nextLook();
  }
}
