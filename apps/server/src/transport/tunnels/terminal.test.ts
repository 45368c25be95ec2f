import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { remoteAccess } from '@highline/contract';
import ssh from 'ssh2';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { until } from '../../testing/call.ts';
import { silentLog } from '../../testing/log.ts';
import { generateHostKey } from './host-key.ts';
import { runTerminal } from './terminal.ts';

/** A router whose shell shows all of `text` at once, and `typed` bytes back. */
async function openShellThatShows(text: Buffer) {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const socket = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [ofRouter] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  const router = { socket, typed: 0 };
  const show = (shell: ssh.ServerChannel): void => {
    shell.on('data', (bytes: Buffer) => (router.typed += bytes.length));
    shell.write(text);
  };
  const server = new ssh.Server({ hostKeys: [generateHostKey()] }, (connection) => {
    connection.on('error', () => {});
    connection.on('authentication', (context) => context.accept());
    connection.on('session', (acceptSession) => {
      const session = acceptSession();
      session.on('pty', (accept) => accept?.());
      session.on('shell', (accept) => show(accept()));
    });
  });
  server.injectSocket(ofRouter);
  return router;
}

/** A browser that confirms all it is sent at once, and reads none of it before `read`. */
class BrowserThatLies extends EventEmitter {
  bufferedAmount = 0;
  sent = 0;
  hasRead = false;
  readonly #unread: (() => void)[] = [];
  send(data: Buffer | string, flushed?: () => void): void {
    if (typeof data === 'string') return;
    this.sent += data.length;
    this.bufferedAmount += data.length;
    this.#unread.push(() => {
      this.bufferedAmount -= data.length;
      flushed?.();
    });
    if (this.hasRead) this.read();
    this.emit('message', Buffer.from(JSON.stringify({ shown: data.length })), false);
  }
  read(): void {
    this.hasRead = true;
    for (const each of this.#unread.splice(0)) each();
  }
  pause(): void {}
  resume(): void {}
  close(): void {}
  terminate(): void {}
}

test('LIV-07-partial a browser that reads nothing makes the router wait, although it confirms what it was sent', async () => {
  const text = Buffer.alloc(16 * remoteAccess.TERMINAL_WINDOW, 'x');
  const router = await openShellThatShows(text);
  const browser = new BrowserThatLies();
  const connection = async () => router.socket;
  const entry = { username: 'x', password: '', connect: connection, end: async () => 'cancelled' as const };
  runTerminal(browser as unknown as WebSocket, entry, silentLog);
  await until(() => browser.sent > remoteAccess.TERMINAL_WINDOW);
  // Some ways to the router and back, during which all of it could arrive.
  for (let typed = 1; typed <= 50; typed++) {
    browser.emit('message', Buffer.from('x'), true);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await until(() => router.typed === typed);
  }
  expect(browser.sent).toBeLessThan(2 * remoteAccess.TERMINAL_WINDOW);
  browser.read();
  await until(() => browser.sent === text.length);
  browser.emit('close');
});
