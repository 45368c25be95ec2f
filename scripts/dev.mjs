// `npm run dev`: the server restarts when a source file changes, the console reloads in place, and the demo fleet keeps running.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ensureBuilt, ensureInstalled, environment, fail, node24, root, say } from './toolchain.mjs';

const CONSOLE_PORT = 5173;
const RESTART_MS = 2_000;
const POLL_MS = 200;

ensureInstalled();
ensureBuilt();
const port = Number(process.env.PORT ?? 8080);
const server = `http://127.0.0.1:${port}`;
const dataDir = process.env.HIGHLINE_DATA_DIR ?? join(root, '.highline');
const children = new Set();
let stopping = false;

/** Start one of our programs on Node 24. Its standard input is a pipe that ends with us, so that none outlives us. */
function start(args, { cwd = root, env = {}, onExit = () => {} } = {}) {
  const child = spawn(node24(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  children.add(child);
  child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
  child.on('exit', (code) => {
    children.delete(child);
    if (!stopping) onExit(code);
  });
  return child;
}

/** Wait until the server is ready. A server that cannot start reports why, and restarts with the next change. */
async function untilReady() {
  const isReady = () =>
    fetch(`${server}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await isReady())) await setTimeout(POLL_MS);
}

async function restartRouters(args) {
  await setTimeout(RESTART_MS);
  if (!stopping) keepRouters(args);
}

/** Restart a router process that ends, as in the demo. */
function keepRouters(args) {
  start(args, { onExit: () => void restartRouters(args) });
}

/** Stop everything, then exit; a second signal stops at once. */
async function stop() {
  if (stopping) process.exit(1);
  stopping = true;
  const ends = [...children].map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ends);
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());

const inspect = process.argv.filter((argument) => argument.startsWith('--inspect'));
start(
  ['--watch', '--watch-preserve-output', ...inspect, join(root, 'apps', 'server', 'src', 'main.ts'), 'demo', '--separate-fleet'],
  {
    onExit: () => void stop(),
  },
);
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
start([vite, '--host', '127.0.0.1', '--port', String(CONSOLE_PORT), '--strictPort', '--clearScreen', 'false'], {
  cwd: join(root, 'apps', 'console'),
  env: { HIGHLINE_DEV_SERVER: server },
  onExit: () => void stop(),
});

await untilReady();
for (const args of JSON.parse(readFileSync(join(dataDir, 'demo-routers', 'programs.json'), 'utf8'))) keepRouters(args);
say(`\n  Console with hot reload   http://127.0.0.1:${CONSOLE_PORT}\n  Server, restarted on change   ${server}\n`);
