import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from './process.ts';

/** A nats-server in a separate process. */
export interface NatsServer {
  readonly port: number;
  /** Value of NATS_URL. @param who `user:password@` or empty */
  url(who?: string, scheme?: string): string;
  /** Kill -9, and wait until it is gone. */
  kill(): Promise<void>;
  /** Start it again on its port; nothing if it runs. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Start a nats-server of this machine on a free port of loopback.
 * @param config more lines of its config file; `FOLDER` in them is the folder of the files
 * @param files their contents by name
 */
export async function startNatsServer(config = '', files: Readonly<Record<string, string>> = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-nats-'));
  const port = await freePort();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const path = join(folder, 'nats.conf');
  writeFileSync(path, `listen: 127.0.0.1:${port}\n${config.replaceAll('FOLDER', folder)}\n`);
  let child: ChildProcess | undefined;
  const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start = async () => {
    // A second one would fail on the port and take the place of the first, which no one would end.
    if (runs()) return;
    const started = spawn('nats-server', ['-c', path], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let output = '';
    started.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    started.once('error', (error) => (output += String(error)));
    await until(async () => {
      if (started.exitCode !== null || started.pid === undefined) throw new Error(`nats-server ended: ${output}`);
      return accepts(port);
    });
  };
  const kill = async () => {
    if (child === undefined || !runs()) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    port,
    url: (who = '', scheme = 'nats') => `${scheme}://${who}127.0.0.1:${port}`,
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
