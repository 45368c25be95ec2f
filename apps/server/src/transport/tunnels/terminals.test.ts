import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { remoteAccess } from '@highline/contract';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { silentLog } from '../../testing/log.ts';
import { createTerminals } from './terminals.ts';

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A process that passes browsers on to the one with this address, and a browser at it. */
async function reach(at: string) {
  const reached = createServer();
  const terminals = createTerminals(silentLog);
  terminals.serve(async () => ({ at }));
  reached.on('upgrade', (request, socket, head) => void terminals.upgrade(request, socket, head));
  const browser = new WebSocket(`${await listen(reached)}${remoteAccess.TERMINAL_PATH}`, [
    remoteAccess.TERMINAL_PROTOCOL,
    'ticket',
  ]);
  return { reached, terminals, browser };
}

test('LIV-07-partial a browser is passed on to the process with the tunnel, and cut off when the one that it reached stops', async () => {
  const holder = createServer();
  const sockets = new WebSocketServer({ server: holder, path: remoteAccess.TERMINAL_PATH });
  sockets.on('connection', (socket, { headers }) => socket.send(headers['sec-websocket-protocol'] ?? ''));
  const { reached, terminals, browser } = await reach(`${await listen(holder)}/tunnel`);
  const [shown] = (await once(browser, 'message')) as [Buffer];
  expect(shown.toString()).toBe(`${remoteAccess.TERMINAL_PROTOCOL},ticket`);

  const stopped = once(reached, 'close');
  reached.close();
  const left = Promise.all([once(browser, 'close'), once([...sockets.clients][0]!, 'close')]);
  terminals.close();
  await Promise.all([left, stopped]);
  sockets.close();
  holder.close();
});

test('LIV-07-partial a browser whose process with the tunnel is gone gets a 502', async () => {
  const gone = createServer();
  const at = `${await listen(gone)}/tunnel`;
  gone.close();
  const { reached, browser } = await reach(at);
  const [, response] = (await once(browser, 'unexpected-response')) as [unknown, { readonly statusCode: number }];
  expect(response.statusCode).toBe(502);
  browser.on('error', () => {});
  browser.terminate();
  reached.close();
});
