import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh from 'ssh2';
import { expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { Channels } from './channels.ts';
import { generateHostKey } from './host-key.ts';

/** What the types of ssh2 leave out. */
interface Inner {
  readonly outgoing: { readonly id: number; readonly window: number };
  readonly _client: { readonly _protocol: { channelWindowAdjust(id: number, bytes: number): void } };
}
const inner = (channel: Duplex) => channel as unknown as Inner;

/** A router that is connected, and what it is sent through. */
async function connectRouter() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const ofRouter = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [below] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  const server = new ssh.Server({ hostKeys: [generateHostKey()] });
  const bound = new Promise<Channels>((resolve) =>
    server.on('connection', (connection) => {
      connection.on('authentication', (context) => context.accept());
      connection.on('request', (accept) => {
        accept?.(22);
        resolve(new Channels(connection, { address: 'ssh', port: 22 }, below));
      });
      connection.on('error', () => {});
    }),
  );
  server.injectSocket(below);
  const router = new ssh.Client();
  router.connect({ sock: ofRouter, username: 'x' });
  await once(router, 'ready');
  router.forwardIn('ssh', 22, () => {});
  return { below, ofRouter, router, channels: await bound };
}

test('RMT-07-partial a router that announces 2 GiB and reads nothing makes the sender wait, and gets all of it when it reads', async () => {
  const { below, ofRouter, router, channels } = await connectRouter();
  let received = 0;
  router.on('tcp connection', (_details, accept) => {
    const channel = accept();
    channel.on('data', (chunk: Buffer) => (received += chunk.length));
    const { outgoing, _client: client } = inner(channel);
    // oxlint-disable-next-line no-underscore-dangle -- ssh2 announces only its own window by itself
    client._protocol.channelWindowAdjust(outgoing.id, 0x7f_ff_ff_ff);
  });
  const channel = await channels.open();
  await until(() => inner(channel).outgoing.window > 0x70_00_00_00);
  ofRouter.pause();
  const part = Buffer.alloc(65_536);
  for (let sent = 0; sent < 256; sent++) channel.write(part);
  expect(below.writableLength).toBeLessThan(1_000_000);
  ofRouter.resume();
  await until(() => received === 256 * part.length);
  expect(below.writableLength).toBe(0);
  router.destroy();
});
