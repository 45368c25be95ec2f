import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbedded } from '../../apps/server/src/adapters/postgres/embedded.ts';
import { migrate } from '../../apps/server/src/adapters/postgres/migrate.ts';
import { urlOf } from '../../apps/server/src/adapters/postgres/postmaster.ts';
import { node24, root } from '../toolchain.mjs';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A durable PostgreSQL of its own and a server process over it, with the demo's main account in it. */
export interface Stage {
  readonly url: string;
  readonly owner: Client;
  readonly ownerUrl: string;
  readonly server: ChildProcess;
  /** Resident memory of the server, bytes. */
  memory(): number;
  /** CPU seconds of the server since its start. */
  cpu(): number;
  signIn(who: 'main' | 'admin'): Promise<string>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'highline-bench-'));
  const embedded = await startEmbedded({ folder: join(folder, 'postgres'), log: quiet });
  const ownerUrl = urlOf(embedded.owner);
  const owner = new Client(ownerUrl);
  await owner.connect();
  await migrate(owner, { log: quiet, ownerServes: false });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    PORT: String(port),
    HIGHLINE_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: ownerUrl,
    DATABASE_SERVE_URL: urlOf(embedded.serve),
    LOG_LEVEL: 'error',
  };
  const server = spawn(
    node24(),
    ['--disable-warning=ExperimentalWarning', '--expose-gc', join(root, 'apps/server/src/main.ts'), 'demo'],
    { env, stdio: ['ignore', 'inherit', 'ignore'] },
  );
  await until(async () => (await fetch(`${url}/healthz`)).ok);
  const proc = (file: string) => readFileSync(`/proc/${server.pid}/${file}`, 'utf8');
  return {
    url,
    owner,
    ownerUrl,
    server,
    memory: () => Number(/VmRSS:\s+(\d+)/u.exec(proc('status'))?.[1] ?? 0) * 1024,
    cpu() {
      const fields = proc('stat').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async signIn(who) {
      const answer = await fetch(`${url}/dmp_aa/api/v1/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `${who}@highline.demo`, password: 'highline-demo' }),
      });
      return ((await answer.json()) as { result: { vap: string } }).result.vap;
    },
    async close() {
      server.kill('SIGTERM');
      await new Promise((resolve) => {
        server.once('exit', resolve);
      });
      await owner.end();
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

export async function until(question: () => Promise<boolean> | boolean, patienceMs = 120_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      if (await question()) return;
    } catch {
      // Not yet.
    }
    if (Date.now() > deadline) throw new Error(`Still not so after ${patienceMs} ms: ${question.toString()}`);
    await pause(20);
  }
}
