import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogBook } from '../../testing/log.ts';
import { forward } from './web-forward.ts';

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
