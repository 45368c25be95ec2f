import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogBook, silentLog } from '../../testing/log.ts';
import { SetCookies } from './headers.ts';
import { forward, forwardUpgrade } from './web-forward.ts';

afterEach(() => void vi.useRealTimers());

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
    void forward(request, response, {
      channels,
      isSecure: false,
      client: undefined,
      answered: () => {},
      pass: 'p',
      known: new SetCookies(),
      log,
    });
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
        known: new SetCookies(),
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

/** As `until`, which would wait for the clock of the test. */
async function reach<T>(find: () => T | undefined | false): Promise<T> {
  for (const since = performance.now(); performance.now() - since < 5_000;) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    // oxlint-disable-next-line no-await-in-loop -- it looks again and again
    await nextTurn();
  }
  throw new Error('It did not happen.');
}

/** A browser that uploads to a router, which takes each part only with `take` and answers only with `respond`. */
async function upload() {
  const waiting: (() => void)[] = [];
  let text = '';
  const channel = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      waiting.push(() => {
        text += chunk.toString('latin1');
        done();
      });
    },
  });
  const channels = { open: () => Promise.resolve(channel) };
  const way = {
    channels,
    isSecure: false,
    client: undefined,
    answered: () => {},
    pass: 'p',
    known: new SetCookies(),
    log: silentLog,
  };
  const server = createServer((request, response) => void forward(request, response, way)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sending = ask({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST', agent: false });
  let status: number | undefined;
  sending.on('response', (response) => {
    status = response.statusCode;
    response.resume();
  });
  sending.on('error', () => {});
  return {
    /** Send a part, and wait until the router has it. */
    async send(part: string) {
      sending.write(part);
      await reach(() => {
        for (const take of waiting.splice(0)) take();
        return text.includes(part);
      });
    },
    /** End the request, and wait until the router has all of it. */
    async end() {
      sending.end();
      await reach(() => {
        for (const take of waiting.splice(0)) take();
        return text.endsWith('0\r\n\r\n');
      });
    },
    respond: () => channel.push('HTTP/1.1 204 No Content\r\n\r\n'),
    status: () => reach(() => status),
    close: () => server.close(),
  };
}

test('RMT-07-partial an upload that goes on may take longer than 30 seconds, and then the router has 30 seconds to answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const running = await upload();
  for (const part of ['first', 'second', 'third', 'fourth']) {
    await running.send(part);
    vi.advanceTimersByTime(20_000);
  }
  await running.end();
  vi.advanceTimersByTime(29_000);
  running.respond();
  expect(await running.status()).toBe(204);
  running.close();
});

test.each(['while it is sent', 'once it is sent'])(
  'RMT-07-partial a router that falls silent on an upload %s is given up',
  async (when) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = await upload();
    await running.send('first');
    if (when === 'once it is sent') await running.end();
    vi.advanceTimersByTime(60_000);
    expect(await running.status()).toBe(504);
    running.close();
  },
);
