import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createLogBook, silentLog } from '../../testing/log.ts';
import { forward, forwardUpgrade } from './web-forward.ts';

test('RMT-07-partial a visitor who leaves while the router begins to answer ends the channel, and nothing is logged as an error', async () => {
  const { log, sentences } = createLogBook();
  let channel: Duplex | undefined;
  const server = createServer((request, response) => {
    channel = new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        response.destroy();
        this.push('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlate');
        done();
      },
    });
    const channels = { open: () => Promise.resolve(channel!) };
    void forward(request, response, { channels, isSecure: false, client: undefined, answered: () => {}, pass: 'p', log });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const visitor = connect((server.address() as AddressInfo).port, '127.0.0.1');
  visitor.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(visitor, 'close');
  if (!channel!.closed) await once(channel!, 'close');
  expect(sentences).toEqual([]);
  server.close();
});

test('LIV-08-partial what a router sends before it closes a WebSocket reaches a browser that reads later, whole', async () => {
  const sent = Buffer.alloc(5_000_000, 'x');
  const server = createServer().listen(0, '127.0.0.1');
  const closed = new Promise<void>((resolve) =>
    server.on('upgrade', (request, socket, head) => {
      const channel = new Duplex({
        read() {},
        write(_chunk, _encoding, done) {
          this.push('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: own\r\n\r\n');
          this.push(sent);
          this.push(null);
          done();
        },
      });
      channel.once('end', () => channel.destroy()).once('close', resolve);
      const channels = { open: () => Promise.resolve(channel) };
      void forwardUpgrade(request, socket, head, {
        channels,
        isSecure: false,
        client: undefined,
        answered: () => {},
        pass: 'p',
        log: silentLog,
      });
    }),
  );
  await once(server, 'listening');
  const browser = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  browser.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: own\r\n\r\n');
  await closed;
  const received = await buffer(browser);
  expect(received.subarray(-sent.length).equals(sent)).toBe(true);
  server.close();
});
