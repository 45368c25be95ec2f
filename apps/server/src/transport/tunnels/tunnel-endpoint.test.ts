import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../../testing/call.ts';
import type { RemoteRouter } from '../../testing/remote-router.ts';
import { openRemoteFixture, type RemoteFixture } from '../../testing/remote-fixture.ts';

// Connections to /tunnel, with and without a session.

let fixture: RemoteFixture;

beforeAll(async () => {
  fixture = await openRemoteFixture();
});
afterAll(() => fixture.close());

/** The status with which an upgrade is rejected. */
async function rejection(protocol: string | undefined, headers: Record<string, string> = {}): Promise<number> {
  const url = `${fixture.server.url.replace('http', 'ws')}/tunnel`;
  const socket = protocol === undefined ? new WebSocket(url, { headers }) : new WebSocket(url, protocol, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}

type Args = Readonly<Record<string, string>>;

/** Connect to a router that deviates from its instructions. @returns how the call ended, and what the router experienced */
async function connectTo(act: (router: RemoteRouter, args: Args) => Promise<unknown>): Promise<{ key: string; met: string }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const device = await fixture.scripted({
    onTunnel: (router, args) => {
      act(router, args).then(
        () => resolve('let in'),
        (error: unknown) => resolve((error as Error).message),
      );
    },
  });
  const responding = fixture.call('connectDevice', device);
  const met = await promise;
  // Without an admitted router the request waits until it is cancelled.
  if (met !== 'let in') await fixture.cancel(device);
  const response = await responding;
  const key = response.status === 200 ? 'connected' : response.error().key;
  if (response.status === 200) await fixture.cancel(device);
  return { key, met };
}

test('no connection is admitted while none is expected, nor a browser, nor a client that does not speak SSH', async () => {
  expect(await rejection('ssh')).toBe(503);
  const device = await fixture.scripted({ onTunnel: () => {} });
  const waiting = fixture.call('connectDevice', device);
  await until(() => device.router.commands.includes('X_HIGHLINE_OpenTunnel()'));
  expect(await rejection('ssh', { origin: 'https://evil.test' })).toBe(400);
  expect([await rejection(undefined), await rejection('v1.usp')]).toEqual([400, 400]);
  await fixture.cancel(device);
  expect((await waiting).status).toBe(504);
});

test('a wrong secret opens nothing, the right one only once, and only for its own session', async () => {
  const outcomes = await Promise.all([
    connectTo((router, args) => router.openTunnel({ ...args, Secret: 'x' }, { name: 'ssh' })),
    connectTo((router, args) => router.openTunnel({ ...args, User: 'someone' }, { name: 'ssh' })),
    connectTo(async (router, args) => {
      await router.openTunnel(args, { name: 'gui' }).catch(() => {});
      await router.openTunnel(args, { name: 'ssh' });
    }),
  ]);
  const rejected = { key: 'remote.no_answer', met: expect.stringMatching(/authentication|closed|503/u) };
  expect(outcomes).toEqual([rejected, rejected, rejected]);
});

test('a router cannot send compressed data, which would grow a thousandfold before it has signed in', async () => {
  const compressed = await connectTo((router, args) => router.openTunnel(args, { name: 'ssh' }, { compress: ['zlib'] }));
  expect(compressed).toEqual({ key: 'remote.no_answer', met: expect.stringMatching(/no matching .*compression/u) });
});

test('a router gets one forward, for the service of its session, and nothing else: no shell, no other forward', async () => {
  const other = await connectTo((router, args) => router.openTunnel(args, { name: 'gui' }));
  expect(other).toEqual({ key: 'remote.no_answer', met: expect.stringMatching(/Unable to bind/u) });
  const curious = await connectTo(async (router, args) => {
    const client = await router.openTunnel(args, { name: 'ssh' });
    const rejections = await Promise.all([
      new Promise((resolve) => client.shell((error) => resolve(error !== undefined))),
      new Promise((resolve) => client.exec('id', (error) => resolve(error !== undefined))),
      new Promise((resolve) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 5432, (error) => resolve(error !== undefined))),
      new Promise((resolve) => client.forwardIn('gui', 0, (error) => resolve(error !== undefined))),
      new Promise((resolve) => client.forwardIn('ssh', 0, (error) => resolve(error !== undefined))),
    ]);
    if (rejections.includes(false)) throw new Error(`allowed: ${rejections.join(' ')}`);
  });
  expect(curious).toEqual({ key: 'connected', met: 'let in' });
});

describe('unauthenticated sockets', () => {
  const unrelatedUsers: WebSocket[] = [];
  afterEach(() => {
    for (const socket of unrelatedUsers.splice(0)) socket.terminate();
  });

  /** Open a socket at /tunnel from an address of loopback, and send this text. Resolves when it is open, rejected or cut. */
  async function attempt(localAddress: string, text = ''): Promise<void> {
    const socket = new WebSocket(`${fixture.server.url.replace('http', 'ws')}/tunnel`, 'ssh', { localAddress });
    unrelatedUsers.push(socket);
    socket.on('error', () => {});
    await Promise.race([once(socket, 'open'), once(socket, 'close')]).catch(() => {});
    if (text !== '' && socket.readyState === WebSocket.OPEN) socket.send(Buffer.from(text));
  }

  /** Run `act` while a router is expected; otherwise upgrades are rejected earlier. */
  async function whileExpecting(act: () => Promise<void>): Promise<void> {
    const device = await fixture.scripted({ onTunnel: () => {} });
    const waiting = fixture.call('connectDevice', device);
    await until(() => device.router.commands.includes('X_HIGHLINE_OpenTunnel()'));
    await act();
    await fixture.cancel(device);
    await waiting;
  }

  const connectFive = () =>
    Promise.all(Array.from({ length: 5 }, () => connectTo((router, args) => router.openTunnel(args, { name: 'ssh' }))));
  const connected = Array.from({ length: 5 }, () => ({ key: 'connected', met: 'let in' }));

  test('RMT-01-partial 90 of them, from elsewhere or from the network of a router itself, keep no router out', async () => {
    await whileExpecting(async () => {
      await Promise.all(Array.from({ length: 90 }, () => attempt('127.0.0.1')));
      expect(await connectFive()).toEqual(connected);
      await Promise.all(Array.from({ length: 90 }, () => attempt('127.0.0.2')));
      expect(await connectFive()).toEqual(connected);
    });
  });

  test('RMT-01-partial 90 of one network that speak SSH and never sign in keep no router of another network out', async () => {
    await whileExpecting(async () => {
      await Promise.all(Array.from({ length: 90 }, () => attempt('127.0.0.2', 'SSH-2.0-unrelated\r\n')));
      expect(await connectFive()).toEqual(connected);
      expect(unrelatedUsers.filter((socket) => socket.readyState === WebSocket.OPEN).length).toBeLessThanOrEqual(16);
    });
  });

  test('one that sends nothing, or no SSH, is cut off', async () => {
    await whileExpecting(async () => {
      await Promise.all([attempt('127.0.0.1'), attempt('127.0.0.1', 'GET / HTTP/1.1\r\n\r\n')]);
      await expect.poll(() => unrelatedUsers.map(({ readyState }) => readyState)).toEqual([WebSocket.CLOSED, WebSocket.CLOSED]);
    });
  });
});
