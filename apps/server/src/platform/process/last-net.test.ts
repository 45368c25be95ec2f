import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLastNet } from './last-net.ts';
import { freePort, until } from '../../testing/process.ts';

// A whole server in a separate process, started by the launcher like a user does, in which an uncaught error is thrown.

const launcher = fileURLToPath(new URL('../../../../../scripts/start.mjs', import.meta.url));
const fault = new URL('../../testing/fault-on-signal.ts', import.meta.url).href;

let folder: string;
let launched: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-fault-'));
});
afterEach(async () => {
  if (launched !== undefined && launched.exitCode === null) {
    launched.kill('SIGTERM');
    await once(launched, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['an exception', 'exception', 'a fault of the test'],
  ['a rejection', 'rejection', 'a rejection of the test'],
])(
  '%s that is not caught is logged with its stack and ends the server gracefully, with exit code 1',
  async (_what, kind, text) => {
    const port = await freePort();
    const child = spawn(process.execPath, [launcher, 'demo'], {
      env: {
        ...process.env,
        PORT: String(port),
        HIGHLINE_DATA_DIR: folder,
        LOG_LEVEL: 'info',
        DATABASE_URL: '',
        DATABASE_SERVE_URL: '',
        FAULT: kind,
        NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${fault}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    launched = child;
    let [logged, printed] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const exited = once(child, 'exit');
    const url = `http://127.0.0.1:${port}`;
    await until(() => printed.includes('Ctrl-C'));
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    process.kill(await serverOf(child), 'SIGUSR2');
    expect(await exited).toEqual([1, null]);
    const entries = logged.split('\n').filter((line) => line.startsWith('{'));
    const fatal = entries
      .map((line) => JSON.parse(line) as { level: string; err?: { stack: string } })
      .filter(({ level }) => level === 'fatal');
    expect(fatal).toHaveLength(1);
    expect(fatal[0]!.err!.stack).toMatch(new RegExp(`^Error: ${text}\\n +at `, 'u'));
    expect(printed).toContain('The server ended with exit code 1.');
    await expect(fetch(`${url}/livez`)).rejects.toThrow(/fetch failed/u);
    // Its PostgreSQL was stopped as in a normal shutdown.
    expect(existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  },
);

async function serverOf({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}

test('a repeated fault is logged only a few times', () => {
  const logged: object[] = [];
  const codes: number[] = [];
  const caught = createLastNet({
    log: { fatal: (fields: object) => void logged.push(fields) },
    stop: (code) => codes.push(code),
  });
  for (let index = 0; index < 1_000; index++) caught(new Error('again'));
  expect([logged.length, new Set(codes)]).toEqual([10, new Set([1])]);
});
