import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort, until } from '@highline/testkit/server';
import { root } from './toolchain.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'highline-serve-'));
});
afterEach(async () => {
  for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
  await until(() => processesOf(folder).length === 0);
  rmSync(folder, { recursive: true, force: true });
});

/** Every process that was started with this data folder in its environment. */
function processesOf(dataDir: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isOurs =
        /^\d+$/u.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(`HIGHLINE_DATA_DIR=${dataDir}\0`);
      return isOurs && !readFileSync(`/proc/${name}/stat`, 'latin1').includes(') Z ') ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** PostgreSQL deletes this file at the end of an orderly stop; its processes have a separate environment. */
const isDatabaseStopped = () => !existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'));

interface Served {
  readonly npm: ChildProcess;
  readonly port: string;
  output(): string;
}

/** Start `npm run serve` in production with an embedded database. */
async function begin(): Promise<Served> {
  const port = String(await freePort());
  // Variables of this test run, not of the started server.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|DATABASE_|VITEST)/u.test(name)));
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: root,
    env: {
      ...inherited,
      PORT: port,
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      HIGHLINE_MASTER_KEY: randomBytes(32).toString('base64'),
      SMTP_URL: 'none',
      HIGHLINE_DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { npm, port, output: () => output };
}

/** `npm run serve`, until it is ready. */
async function serve(): Promise<Served> {
  const served = await begin();
  await until(async () => {
    if (served.npm.exitCode !== null) throw new Error(`npm run serve ended: ${served.output()}`);
    return (await fetch(`http://127.0.0.1:${served.port}/healthz`)).ok;
  });
  expect(processesOf(folder).length).toBeGreaterThanOrEqual(3);
  return served;
}

test('SIGTERM to `npm run serve` stops launcher, server and database in order, and npm waits for them', async () => {
  const { npm: started, output } = await serve();
  const ended = new Promise((resolve) => started.once('exit', resolve));
  started.kill('SIGTERM');
  await ended;
  await until(() => processesOf(folder).length === 0);
  await until(() => output().includes('Stopping'));
  expect(isDatabaseStopped()).toBe(true);
});

test('SIGTERM during the start stops what was started so far', async () => {
  const { npm: started, output } = await begin();
  const ended = new Promise((resolve) => started.once('exit', resolve));
  await until(() => !isDatabaseStopped());
  started.kill('SIGTERM');
  await ended;
  await until(() => processesOf(folder).length === 0);
  await until(() => output().includes('Stopping'));
  expect(isDatabaseStopped()).toBe(true);
});

test('kill -9 of npm leaves no server behind', async () => {
  const { npm: started, output } = await serve();
  started.kill('SIGKILL');
  await until(() => processesOf(folder).length === 0);
  await until(() => output().includes('Stopping'));
  expect(isDatabaseStopped()).toBe(true);
});
