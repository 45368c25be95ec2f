import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbedded } from '@highline/testkit/database';
import { ensureBuilt, root } from '../scripts/toolchain.mjs';
import { freePort } from '@highline/testkit/server';
import { silentLog } from './cluster.ts';
import { timed } from './measure.ts';
import { options } from './options.ts';
import { printTable, type Figure } from './table.ts';

/** Time limit of `npm start`; a bare clone downloads its packages. */
const TIMEOUT_MS = 300_000;

/** From `npm start` to the sign-in page: first start, next start, and with --bare from a new clone (issue 2, "Start"). */
export async function benchStart(): Promise<void> {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'highline-bench-start-'));
  try {
    const database = await timed(() => startBareDatabase(join(folder, 'bare')));
    const again = await timed(() => startBareDatabase(join(folder, 'bare')));
    const figures = [
      figure('installed → sign-in page, new folder', await startOnce(root, join(folder, 'data')), database),
      figure('installed → sign-in page, second start', await startOnce(root, join(folder, 'data')), again),
    ];
    if (options.bare) figures.push(figure('bare clone → sign-in page', await startClone(folder), database));
    printTable('Start', figures, [
      'Ceiling: our PostgreSQL alone on such a folder, created (first start) or opened, and stopped again.',
      ...(options.bare ? [] : ['The bare clone installs all packages and is measured with --bare only.']),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const figure = (name: string, ours: number, ceiling: number): Figure => ({
  name,
  unit: 's',
  ours: [ours / 1_000],
  raw: [ceiling / 1_000],
  aim: 'recorded',
});

async function startBareDatabase(folder: string): Promise<void> {
  const embedded = await startEmbedded({ folder, log: silentLog });
  await embedded.stop();
}

async function startClone(folder: string): Promise<number> {
  const clone = join(folder, 'clone');
  const begin = performance.now();
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const cloned = performance.now() - begin;
  return cloned + (await startOnce(clone, join(folder, 'clone-data')));
}

/** Milliseconds from the command to the sign-in page. */
async function startOnce(checkout: string, dataDir: string): Promise<number> {
  const port = await freePort();
  const begin = performance.now();
  // A separate process group: npm, the launcher, the server and its routers end together.
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...outsideOfNpm(), PORT: String(port), HIGHLINE_DATA_DIR: dataDir, LOG_LEVEL: 'fatal' },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const url = `http://127.0.0.1:${port}`;
    while (!((await responds(`${url}/healthz`)) && (await responds(`${url}/`)))) {
      if (child.exitCode !== null || performance.now() - begin > TIMEOUT_MS) throw new Error(`npm start failed: ${output}`);
      await pause(20);
    }
    return performance.now() - begin;
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await ended;
    await groupGone(child.pid!);
  }
}

/** The npm variables of this run would point the inner npm to the wrong project. */
function outsideOfNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|DATABASE_)/u.test(name)));
}

function responds(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => (await response.arrayBuffer()).byteLength > 0 && response.ok,
    () => false,
  );
}

async function groupGone(group: number): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await pause(50)) {
    try {
      process.kill(-group, 0);
    } catch {
      return;
    }
  }
  process.kill(-group, 'SIGKILL');
}
