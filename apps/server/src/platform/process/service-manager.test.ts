import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { createLogBook } from '../../testing/log.ts';
import { freePort, until } from '../../testing/process.ts';
import { openServiceManager } from './service-manager.ts';

// A datagram socket as systemd opens one for each service. Perl is in every Debian; Node has no such sockets.
const RECEIVER = `use Socket; $| = 1;
  socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die; print "listening\n";
  while (defined recv($s, my $m, 4096, 0)) { print join(' ', split(/\n/, $m)), "\n"; }`;
const program = fileURLToPath(new URL('../../main.ts', import.meta.url));
const isHere = ['/usr/bin/perl', '/usr/bin/systemd-notify'].every((path) => existsSync(path));

let folder: string;
let receiver: ChildProcess;
let received: string[];
let socket: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'highline-notify-'));
  socket = join(folder, 'notify');
  received = [];
  receiver = spawn('/usr/bin/perl', ['-e', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  receiver.stdout!.on('data', (chunk: Buffer) => received.push(...chunk.toString().trim().split('\n')));
  if (isHere) await until(() => received.includes('listening'));
});
afterEach(() => {
  receiver.kill();
  rmSync(folder, { recursive: true });
});

const count = (message: string) => received.filter((line) => line === message).length;

test.skipIf(!isHere)(
  'NOD-07-partial systemd learns that the service is ready, works and stops; for a stuck one the watchdog gets nothing',
  async () => {
    const { log, sentences } = createLogBook();
    const environment: NodeJS.ProcessEnv = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000' };
    const manager = openServiceManager(environment, log);
    expect(environment['NOTIFY_SOCKET']).toBeUndefined();
    let isWorking = true;
    manager.ready(() => isWorking);
    await until(() => count('READY=1 STATUS=Serving.') === 1 && count('WATCHDOG=1') >= 2);
    isWorking = false;
    await until(() => sentences.some((sentence) => sentence.startsWith('This process is stuck')));
    const before = sentences.length;
    // One message may have been on its way.
    await until(() => sentences.length >= before + 1);
    const sent = count('WATCHDOG=1');
    await until(() => sentences.length >= before + 4);
    expect(count('WATCHDOG=1')).toBe(sent);
    manager.stopping();
    await until(() => count('STOPPING=1 STATUS=Stopping.') === 1);
    expect(sentences.filter((sentence) => !sentence.startsWith('This process is stuck'))).toEqual([]);
  },
);

test.skipIf(!isHere)('NOD-07-partial systemd learns that a directory of cells is ready, works and stops', async () => {
  const database = await createTestDatabase();
  const port = await freePort();
  const directory = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'serve'], {
    env: {
      ...process.env,
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: '300000',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CELLS: 'a=http://127.0.0.1:1',
      CELLS_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: database.ownerUrl,
      DATABASE_SERVE_URL: database.serveUrl,
      HIGHLINE_DATA_DIR: folder,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(directory, 'exit');
  try {
    await until(() => count('READY=1 STATUS=Serving.') === 1 && count('WATCHDOG=1') >= 2);
    directory.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await until(() => count('STOPPING=1 STATUS=Stopping.') === 1);
    // A process that is started already waits for the folder.
    expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))).toMatchObject({ isStopping: true });
  } finally {
    directory.kill('SIGKILL');
    await ended;
    await database.close();
  }
});

test('without systemd, or for another process, nothing is sent', async () => {
  const { log, sentences } = createLogBook();
  for (const environment of [{}, { NOTIFY_SOCKET: '', WATCHDOG_USEC: '1000' }]) {
    const manager = openServiceManager(environment, log);
    manager.ready(() => {
      throw new Error('called');
    });
    manager.stopping();
  }
  expect([sentences, received.filter((line) => line !== 'listening')]).toEqual([[], []]);
});
