import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestAuthority } from '@highline/testkit/certificates';
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

interface Start {
  /** Another command than npm. */
  readonly command?: readonly [string, ...string[]];
  readonly scheme?: 'http' | 'https';
  readonly settings?: Readonly<Record<string, string>>;
}

/** Start `npm run serve`, or another command, in production with an embedded database. */
async function begin({ command = ['npm', 'run', 'serve'], scheme = 'http', settings = {} }: Start = {}): Promise<Served> {
  const port = String(await freePort());
  const [program, ...args] = command;
  // Variables of this test run, not of the started server.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|DATABASE_|VITEST)/u.test(name)));
  const npm = spawn(program, args, {
    cwd: root,
    env: {
      ...inherited,
      PORT: port,
      HOST: '127.0.0.1',
      PUBLIC_URL: `${scheme}://127.0.0.1:${port}`,
      HIGHLINE_MASTER_KEY: randomBytes(32).toString('base64'),
      SMTP_URL: 'none',
      HIGHLINE_DATA_DIR: folder,
      ...settings,
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
  // A start that takes longer than a stop may is cut off; the kernel then stops PostgreSQL, in order too.
  await until(isDatabaseStopped);
  expect(processesOf(folder)).toEqual([]);
});

test('kill -9 of npm leaves no server behind', async () => {
  const { npm: started, output } = await serve();
  started.kill('SIGKILL');
  await until(() => processesOf(folder).length === 0);
  await until(() => output().includes('Stopping'));
  expect(isDatabaseStopped()).toBe(true);
});

test('SIGHUP to the launcher, as systemd sends it, serves a renewed certificate on new connections; open ones stay', async () => {
  const authority = await createTestAuthority('Renewals');
  const files = { cert: join(folder, 'tls.pem'), key: join(folder, 'tls.key') };
  const issue = async (until: number) => {
    const { cert, key } = await authority.issue({ isServer: true, until });
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
  };
  await issue(10);
  const {
    npm: launcher,
    port,
    output,
  } = await begin({
    command: [process.execPath, 'scripts/start.mjs', 'serve'],
    scheme: 'https',
    settings: { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key },
  });
  const open = async (): Promise<TLSSocket> => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca: authority.cert, checkServerIdentity: () => undefined });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    return socket;
  };
  const ask = async (socket: TLSSocket): Promise<string> => {
    socket.write(`GET /livez HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const [response] = (await once(socket, 'data')) as [Buffer];
    return response.toString().split('\r\n')[0]!;
  };
  const fingerprintOf = (socket: TLSSocket) => socket.getPeerCertificate().fingerprint256;
  await until(async () => {
    if (launcher.exitCode !== null) throw new Error(`The server ended: ${output()}`);
    (await open()).destroy();
    return true;
  });
  const before = await open();
  expect(await ask(before)).toBe('HTTP/1.1 200 OK');

  await issue(20);
  launcher.kill('SIGHUP');
  await until(async () => {
    const socket = await open();
    const isRenewed = fingerprintOf(socket) !== fingerprintOf(before);
    socket.destroy();
    return isRenewed;
  });
  expect(await ask(before)).toBe('HTTP/1.1 200 OK');
  expect(launcher.exitCode).toBeNull();
  before.destroy();
  const ended = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  await ended;
});
