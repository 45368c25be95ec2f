import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openSshPort } from './ssh-port.ts';

const log = { error: () => undefined };

/** A device that returns what it gets, and how often it was reached. */
async function startEcho() {
  let reached = 0;
  const server = createServer((socket) => void socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const channels = {
    async open() {
      reached += 1;
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    traffic: { sent: 0, received: 0 },
  };
  return { channels: channels as never, reached: () => reached, close: () => server.close() };
}

/** What comes back before the connection is closed, or as much as was sent. */
async function exchange(port: number, text: string, expected: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
    if (received.length >= expected) socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.write(text);
  // A port that is closed is an error first.
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

test('LIV-08-partial the port of a terminal in the browser takes only the process that has its key, once', async () => {
  const echo = await startEcho();
  const opened = await openSshPort(echo.channels, '127.0.0.1', undefined, log, { from: null, key: 'a'.repeat(43) });
  expect(await exchange(opened.port, `${'b'.repeat(43)}GET / HTTP/1.1`, 1)).toBe('');
  expect(echo.reached()).toBe(0);
  expect(await exchange(opened.port, `${'a'.repeat(43)}hello`, 5)).toBe('hello');
  expect(echo.reached()).toBe(1);
  expect(await exchange(opened.port, `${'a'.repeat(43)}again`, 5)).toBe('');
  expect(echo.reached()).toBe(1);
  opened.close();
  echo.close();
});
