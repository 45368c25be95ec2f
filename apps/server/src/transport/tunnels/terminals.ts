import { request as ask, type IncomingMessage } from 'node:http';
import { request as askSecurely } from 'node:https';
import type { Duplex } from 'node:stream';
import { remoteAccess } from '@highline/contract';
import { WebSocketServer, type WebSocket } from 'ws';
import { guard } from '../../kernel/guard.ts';
import type { AdmitTerminal } from '../../platform/ports/tunnels.ts';
import type { Log } from '../../platform/ports/log.ts';
import { rejectSocket } from '../upgrades/index.ts';
import { keepAlive } from './keep-alive.ts';
import { runTerminal } from './terminal.ts';
import { awaitResponse, relayUpgrade, upgradeHeaders } from './web-forward.ts';

/** Terminals of browsers (LIV-07). */
export interface Terminals {
  serve(admit: AdmitTerminal): void;
  /** Takes an upgrade to /terminal; false = it is for another handler. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Cut all of them. */
  close(): void;
}

/**
 * The endpoint for terminals of browsers. A ticket admits, and no cookie does, so that pages of other sites can open none. It comes as a
 * subprotocol: addresses are logged, and a browser can set no other header.
 */
export function createTerminals(log: Log): Terminals {
  let admit: AdmitTerminal | undefined;
  /** Of browsers that were passed on to another process. */
  const passed = new Set<Duplex>();
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: remoteAccess.TERMINAL_MESSAGE,
    handleProtocols: () => remoteAccess.TERMINAL_PROTOCOL,
  });

  const enter = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const ticket = ticketOf(request);
    const entry = ticket === undefined ? undefined : await admit?.(ticket);
    if (entry === undefined) return rejectSocket(socket, 403);
    if ('at' in entry) {
      passed.add(socket);
      socket.once('close', () => passed.delete(socket));
      return passOn(request, socket, head, entry.at, log);
    }
    const welcome = (webSocket: WebSocket): void => {
      keepAlive(webSocket, log);
      runTerminal(webSocket, entry, log);
    };
    // The browser left while its ticket was checked.
    if (socket.destroyed) return void (await entry.end('left'));
    webSockets.handleUpgrade(
      request,
      socket,
      head,
      guard(log, () => socket.destroy(), welcome),
    );
  };

  return {
    serve: (admits) => void (admit = admits),
    upgrade(request, socket, head) {
      if (request.url?.split('?', 1)[0] !== remoteAccess.TERMINAL_PATH) return false;
      socket.on('error', () => socket.destroy());
      enter(request, socket, head).catch((error: unknown) => {
        log.warn({ err: error }, 'Failed to open a terminal.');
        rejectSocket(socket, 503);
      });
      return true;
    },
    close() {
      for (const webSocket of webSockets.clients) webSocket.terminate();
      // A server that stops waits for each of its sockets.
      for (const socket of passed) socket.destroy();
    },
  };
}

/**
 * Pass a browser on to the process that has the tunnel, by the address at which the router reached it: the way to one process that every
 * installation has, and over TLS it proves whose it is.
 */
function passOn(request: IncomingMessage, socket: Duplex, head: Buffer, at: string, log: Log): void {
  const url = new URL(remoteAccess.TERMINAL_PATH, at.replace(/^ws/u, 'http'));
  const kept = Object.entries(request.headers).filter(([name]) => name.startsWith('sec-websocket-'));
  const headers = { ...Object.fromEntries(kept), ...upgradeHeaders(request) };
  const outgoing = (url.protocol === 'https:' ? askSecurely : ask)(url, { headers, agent: false });
  outgoing.once('error', (error) => {
    if (!socket.destroyed) log.warn({ err: error, at }, 'Failed to reach the process that has the tunnel of a terminal.');
  });
  relayUpgrade({ outgoing, responded: awaitResponse(request, outgoing) }, socket, head, log);
}

function ticketOf({ method, headers }: IncomingMessage): string | undefined {
  const [protocol, ticket, ...more] = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const isComplete = method === 'GET' && protocol === remoteAccess.TERMINAL_PROTOCOL && more.length === 0;
  return isComplete ? ticket : undefined;
}
