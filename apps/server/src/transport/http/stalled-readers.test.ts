import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { cutOffStalledReaders } from './stalled-readers.ts';

const LARGE = Buffer.alloc(64 * 1_048_576, 'x');

async function serve(stallMs: number) {
  const app = Fastify();
  cutOffStalledReaders(app, stallMs);
  app.get('/', async () => LARGE);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return { app, socket };
}

test('a client that does not read its response is cut off, and one that reads slowly gets all of it', async () => {
  const stalled = await serve(50);
  const [atServer] = (await once(stalled.app.server, 'request')) as [{ readonly socket: Socket }];
  await once(atServer.socket, 'close');
  stalled.socket.destroy();
  await stalled.app.close();

  const slow = await serve(2_000);
  let received = 0;
  slow.socket.on('data', (data) => {
    received += data.length;
    slow.socket.pause();
    setImmediate(() => slow.socket.resume());
    if (received > LARGE.length) slow.socket.end();
  });
  await once(slow.socket, 'close');
  expect(received).toBeGreaterThan(LARGE.length);
  await slow.app.close();
});
