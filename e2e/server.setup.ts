import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, startCluster } from '@highline/testkit/database';
import { freePort, ONLY_RECORDS } from '@highline/testkit/server';
import { ensureBuilt, node24, root } from '../scripts/toolchain.mjs';

/** Where the tests find the one server of a run. */
export const SERVER_VARIABLE = 'HIGHLINE_E2E_SERVER';

export interface ServerUnderTest {
  readonly url: string;
  readonly ownerUrl: string;
  readonly serveUrl: string;
  readonly dataDir: string;
}

/** One PostgreSQL and one server process for the whole run; both are gone afterwards, however it went. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  ensureBuilt();
  const stopCluster = await startCluster();
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'highline-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = [join(root, 'apps/server/src/main.ts'), 'demo', ...ONLY_RECORDS];
  const server = spawn(node24(), ['--disable-warning=ExperimentalWarning', ...program], {
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      HIGHLINE_DATA_DIR: dataDir,
      DATABASE_URL: database.ownerUrl,
      DATABASE_SERVE_URL: database.serveUrl,
      // Routers live in the processes of the tests: one that is kept waiting for some seconds is not offline yet.
      ROUTER_OFFLINE_SECONDS: '8',
      // Receivers of webhooks are in the processes of the tests.
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
      DATABASE_POOL_SIZE: '6',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const about: ServerUnderTest = { url, ownerUrl: database.ownerUrl, serveUrl: database.serveUrl, dataDir };
  process.env[SERVER_VARIABLE] = JSON.stringify(about);
  await responds(url, server);
  return async () => {
    await stop(server);
    await database.close();
    await stopCluster?.();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function responds(url: string, server: ChildProcess): Promise<void> {
  let output = '';
  server.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const deadline = Date.now() + 150_000;
  for (;;) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error(`The server did not start: ${output}`);
    const ready = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const gone = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  server.kill('SIGTERM');
  await gone;
}
