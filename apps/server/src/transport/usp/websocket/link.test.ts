import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Links, RouterSocket, WebSocketLink } from './link.ts';

test('what is sent at once leaves in one write, in order, and what follows is not held back', async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server, WebSocket: RouterSocket });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = new Promise<{ link: WebSocketLink; tcp: Socket }>((resolve) => {
    sockets.once('connection', (socket, request) =>
      resolve({
        link: new WebSocketLink(socket, request.socket, 'here', new Links({ error() {} }), () => {}),
        tcp: request.socket,
      }),
    );
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: number[] = [];
  const all = new Promise<void>((resolve) => {
    client.on('message', (data: Buffer) => {
      received.push(data[0]!);
      if (received.length === 4) resolve();
    });
  });
  const { link, tcp } = await accepted;
  const before = tcp.bytesWritten;
  for (const each of [1, 2, 3]) link.send(Uint8Array.of(each));
  expect([tcp.writableCorked, tcp.writableLength]).toEqual([1, 9]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([tcp.writableCorked, tcp.bytesWritten - before]).toEqual([0, 9]);
  link.send(Uint8Array.of(4));
  await all;
  expect(received).toEqual([1, 2, 3, 4]);
  client.terminate();
  server.closeAllConnections();
  server.close();
});
