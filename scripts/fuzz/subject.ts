import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createDatabase, createTestDatabase, type Database, openDatabase, systemClock } from '@highline/testkit/database';
import { createSigner } from '@highline/testkit/images';
import { createSeeding, type Seeding } from '@highline/testkit/seeding';
import { freePort } from '@highline/testkit/server';
import { pino } from 'pino';
import { createSecondFactorSealing } from '../../apps/server/src/domains/accounts/index.ts';
import { createSeal } from '../../apps/server/src/domains/configs/index.ts';
import { createCodeSeal } from '../../apps/server/src/domains/esims/index.ts';
import { createFolderBlobs } from '../../apps/server/src/platform/adapters/blobs/folder.ts';
import { readKey } from '../../apps/server/src/platform/settings/values.ts';
import type { Report } from './report.ts';
import { readMemory, readLog, type Output, residentBytes } from './subject-meters.ts';

const stepMeter = new URL('step-meter.ts', import.meta.url).href;
const program = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
/** Parent domain of routers' web pages, as in the demo. */
export const PAGE_DOMAIN = 'localhost';
const PROBE_MS = 50;

/** The server under test: a separate process in production mode with its own database. */
export interface Subject {
  readonly port: number;
  readonly url: string;
  readonly database: Database;
  readonly seeding: Seeding;
  readonly isRunning: boolean;
  /** Resident memory, bytes; unknown on systems without /proc. */
  memory(): number;
  /** The longest step of its event loop since the last call, milliseconds of its processor. */
  longestStepMs(): Promise<number>;
  /** What parsing the most that a body may hold takes there, milliseconds of its processor. */
  ceilingMs(): Promise<number>;
  /** Monitor the process during a run: its end, its log, its memory and the latency of /livez. @returns stops monitoring */
  watch(report: Report, ended: () => void): () => Promise<void>;
  close(): Promise<void>;
}

/** Start a server on a new database. Requires the cluster of apps/server/src/testing/global-setup.ts, and the built console. */
export async function startSubject(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-fuzz-'));
  const database = await createTestDatabase();
  const signer = createSigner();
  const keyFile = join(folder, 'signer.pem');
  writeFileSync(keyFile, signer.publicKey.export({ type: 'spki', format: 'pem' }));
  const masterKey = randomBytes(32).toString('base64');
  const port = await freePort();
  const dataDir = join(folder, 'data');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', stepMeter, program, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TUNNEL_DOMAIN: PAGE_DOMAIN,
      HIGHLINE_DATA_DIR: dataDir,
      HIGHLINE_MASTER_KEY: masterKey,
      SMTP_URL: 'none',
      DATABASE_URL: database.ownerUrl,
      DATABASE_SERVE_URL: database.serveUrl,
      FIRMWARE_PUBLIC_KEYS: keyFile,
      LOG_LEVEL: 'error',
    },
  });
  const output = readOutput(child);
  await untilReady(port, child, output);
  const opened = await openDatabase({ ...database.settings, poolSize: 4 }, pino({ level: 'silent' }));
  const blobs = join(dataDir, 'blobs');
  mkdirSync(blobs, { recursive: true });
  const key = readKey(masterKey)!;
  const own = createDatabase(opened.pool, () => {});
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    database: own,
    seeding: createSeeding(own, systemClock, {
      blobs: createFolderBlobs(blobs),
      seal: createSeal(key),
      signer,
      factors: createSecondFactorSealing(key),
      codes: createCodeSeal(key),
    }),
    get isRunning() {
      return isRunning(child);
    },
    memory: () => residentBytes(child.pid!),
    longestStepMs: () => askMeter(child, 'step'),
    ceilingMs: () => askMeter(child, 'ceiling'),
    watch: (report, ended) => watch(child, { port, output, report, ended }),
    async close() {
      await opened.close();
      child.kill('SIGTERM');
      await gone(child);
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Collect the output of the process; a log line is JSON, and anything else on stderr counts as a fault. */
function readOutput(child: ChildProcess): Output {
  const output: Output = { lines: [] };
  const keep = (line: string) => {
    if (output.lines.push(line) > 1_000) output.lines.shift();
  };
  createInterface({ input: child.stdout! }).on('line', keep);
  createInterface({ input: child.stderr! }).on('line', (line) => {
    if (line.trim() !== '' && !/has no account yet|\/account\.html\?setup=/u.test(line)) keep(line);
  });
  return output;
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

/** Ask `step-meter.ts` in the process. @returns 0 when the process ends meanwhile */
function askMeter(child: ChildProcess, question: 'step' | 'ceiling'): Promise<number> {
  return new Promise((resolve) => {
    const over = (ms: unknown) => {
      child.off('message', over).off('exit', end);
      resolve(Number(ms));
    };
    const end = () => over(0);
    child.on('message', over).on('exit', end);
    if (child.connected) child.send(question);
    else end();
  });
}

function gone(child: ChildProcess): Promise<void> {
  return isRunning(child) ? new Promise((resolve) => child.once('exit', () => resolve())) : Promise.resolve();
}

async function untilReady(port: number, child: ChildProcess, output: Output): Promise<void> {
  for (;;) {
    if (!isRunning(child)) throw new Error(`The server ended: ${output.lines.join('\n')}`);
    const isReady = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(50);
  }
}

interface Watch {
  readonly port: number;
  readonly output: Output;
  readonly report: Report;
  ended(): void;
}

function watch(child: ChildProcess, { port, output, report, ended }: Watch): () => Promise<void> {
  const stop = new AbortController();
  const onExit = () => {
    report.find('process end', `code ${child.exitCode}, signal ${child.signalCode}: ${lastOutput(output)}`);
    ended();
  };
  child.once('exit', onExit);
  output.lines.length = 0;
  const livez = new Worker(new URL('livez-probe.ts', import.meta.url), { workerData: { port, everyMs: PROBE_MS } });
  livez.on('message', (ms: number) => noteLivez(ms, report));
  const probe = async () => {
    while (!stop.signal.aborted && isRunning(child)) {
      readMemory(child.pid!, report);
      readLog(output, report);
      await pause(PROBE_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const probing = probe();
  return async () => {
    stop.abort();
    child.off('exit', onExit);
    await Promise.all([probing, livez.terminate()]);
    readLog(output, report);
  };
}

/** The end of the process output, as one line. */
function lastOutput({ lines }: Output): string {
  return lines.slice(-12).join(' | ').slice(0, 1_500);
}

function noteLivez(ms: number, report: Report): void {
  report.slowestLivezMs = Math.max(report.slowestLivezMs, ms);
  if (ms > report.options.slowLivezMs) report.find('slow livez', `slower than ${report.options.slowLivezMs} ms`);
}
