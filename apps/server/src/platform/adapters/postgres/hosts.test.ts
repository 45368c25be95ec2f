import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../testing/call.ts';
import { createLogBook } from '../../../testing/log.ts';
import { followHosts } from './hosts.ts';
import { closePool, openPool } from './pool.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
/** A column of a row; `bool` or `text`. */
const field = (name: string, type: 16 | 25) => {
  const rest = Buffer.alloc(18);
  rest.writeInt32BE(type, 6);
  return Buffer.concat([Buffer.from(`${name}\0`), rest]);
};
const value = (text: string) => Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)]);
const ready = message('Z', Buffer.from('I'));
const signedIn = [message('R', Buffer.alloc(4)), ready];

/** Of a host that accepts connections and says nothing. */
const silence = new Promise<void>(() => {});

/** A host that says what it is as PostgreSQL does (protocol 3.0, simple query), once `response` is there. */
async function startHost(isReplica: boolean, timeline: string) {
  const host = { isReplica, timeline, response: Promise.resolve(), connections: 0, questions: 0, port: 0 };
  const sockets = new Set<Socket>();
  const row = () => {
    const columns = [field('isReplica', 16), field('timeline', 25)];
    const values = [value(host.isReplica ? 't' : 'f'), value(host.isReplica ? '0' : host.timeline)];
    return [
      message('T', Buffer.concat([Buffer.from([0, 2]), ...columns])),
      message('D', Buffer.concat([Buffer.from([0, 2]), ...values])),
      message('C', Buffer.from('SELECT 1\0')),
      ready,
    ];
  };
  const respond = async (socket: Socket, messages: readonly Buffer[]) => {
    await host.response;
    socket.write(Buffer.concat(messages));
  };
  const server = createServer((socket) => {
    host.connections += 1;
    sockets.add(socket);
    let isSignedIn = false;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (isSignedIn && data[0] === 'Q'.charCodeAt(0)) host.questions += 1;
      void respond(socket, isSignedIn ? row() : signedIn);
      isSignedIn = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host.port = (server.address() as AddressInfo).port;
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return host;
}

const urlOf = (...hosts: readonly { readonly port: number }[]) =>
  `postgresql://highline@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/highline`;

/** Follow the primary of two hosts. @param first the one that is it now */
async function followPrimary(both: readonly { readonly port: number }[], first: { readonly port: number }) {
  const book = createLogBook();
  const login = { url: urlOf(...both), pooled: false };
  const hosts = followHosts(login, { ...login, url: urlOf(first) }, 'primary', book.log);
  cleanups.push(() => hosts.stop());
  return { hosts, login, ...book };
}

test('NOD-02-partial a primary that is silent is replaced as soon as another host is promoted', async () => {
  const former = await startHost(false, '00000001');
  const next = await startHost(true, '00000002');
  const { hosts, sentences } = await followPrimary([former, next], former);
  await until(() => former.questions > 0 && next.questions > 0);
  const before = former.questions;
  former.response = silence;
  await until(() => former.questions > before);
  next.isReplica = false;
  await until(() => hosts.current().url === urlOf(next));
  // That it does not answer another connection either is not waited for.
  expect(former.connections).toBeLessThan(3);
  expect(sentences).toEqual(['The primary has moved.']);
});

test('NOD-02-partial a former primary that answers before the present one is not used', async () => {
  const former = await startHost(false, '00000001');
  const present = await startHost(false, '00000002');
  const { promise, resolve } = Promise.withResolvers<void>();
  present.response = promise;
  const { sentences } = await followPrimary([former, present], present);
  await until(() => former.questions > 0 && present.connections > 0);
  resolve();
  await until(() => present.questions > 1);
  expect(sentences).toEqual([]);
});

test('NOD-02-partial the first look at several hosts, of which one is silent, cuts no connection', async () => {
  const primary = await startHost(false, '00000001');
  const silent = await startHost(true, '00000001');
  silent.response = silence;
  const { hosts, login } = await followPrimary([primary, silent], primary);
  const pool = openPool(login, { max: 1, hosts });
  cleanups.push(() => closePool(pool));
  const client = await pool.connect();
  // It is connected to again once the first look is over.
  await until(() => silent.connections > 1);
  expect((await client.query('select 1')).rowCount).toBe(1);
  client.release();
});
