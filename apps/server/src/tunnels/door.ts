import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh from 'ssh2';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';
import { Allowance, networkOf, refuse } from '../gateway/index.ts';
import { Channels } from './channels.ts';
import type { HostKey } from './host-key.ts';
import type { Invitation, Invitations } from './invitations.ts';

/** The WebSocket subprotocol of a tunnel: SSH's own bytes, in binary messages. */
const SUBPROTOCOL = 'ssh';
/** Wrong secrets in a row, of one network. */
const WRONG_TRIES = 20;
/** From the WebSocket to the forward that was asked for. */
const PATIENCE_MS = 15_000;
/** Routers that came in and have not proved themselves yet. */
const MOST_STRANGERS = 64;
const PING_MS = 20_000;

/** A router that came in and asked for its forward. */
export interface Arrival {
  readonly id: string;
  readonly channels: Channels;
  /** Cut it off. */
  close(): void;
  /** Resolves when its connection is over. */
  readonly ended: Promise<void>;
}

export interface DoorDeps {
  readonly hostKey: HostKey;
  readonly invitations: Invitations;
  addressOf(request: IncomingMessage): string;
  arrived(arrival: Arrival): void;
}

export interface Door {
  /** Takes an upgrade to /tunnel; false = it is somebody else's. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Cut off everybody. */
  close(): void;
}

/**
 * Where routers connect: an SSH server over WebSocket that knows one thing alone. Whoever proves to be expected may ask for one forward,
 * of its own session's service; there is no shell, no command, no way to anything here. A stock `ssh -N -R` can do the same.
 */
export function createDoor({ hostKey, invitations, addressOf, arrived }: DoorDeps): Door {
  const tries = new Allowance(WRONG_TRIES);
  let strangers = 0;

  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 1_048_576,
    handleProtocols: () => SUBPROTOCOL,
  });
  const welcome = (webSocket: WebSocket, network: string): void => {
    strangers++;
    let isStranger = true;
    const settle = () => {
      if (isStranger) strangers--;
      isStranger = false;
    };
    keepAlive(webSocket);
    const stream = createWebSocketStream(webSocket);
    stream.on('error', ignore);
    // By itself the stream would only end, and its connections go on waiting.
    webSocket.once('close', () => stream.destroy());
    webSocket.once('close', settle);
    const cut = () => webSocket.terminate();
    const timer = setTimeout(cut, PATIENCE_MS);
    webSocket.once('close', () => clearTimeout(timer));
    // One for each: which of several strangers a connection is, is told by nothing else.
    const server = new ssh.Server({ hostKeys: [hostKey.privateKey], ident: 'highline' }, (client) => {
      converse(client, {
        admit: (id, secret) => {
          const now = performance.now();
          if (tries.isSpent(network, now)) return undefined;
          const invitation = invitations.take(id, secret, now);
          if (invitation === undefined) tries.spend(network, now);
          return invitation;
        },
        cut,
        bound: ({ id }, channels) => {
          clearTimeout(timer);
          settle();
          const ended = new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
          arrived({ id, channels, close: cut, ended });
        },
      });
    });
    // Its types ask for a socket; a stream is what it uses.
    server.injectSocket(stream as unknown as Socket);
  };

  return {
    upgrade(request, socket, head) {
      if (request.url?.split('?', 1)[0] !== '/tunnel') return false;
      const network = networkOf(addressOf(request));
      // A browser says where it comes from; a router is no browser.
      if (request.headers.origin !== undefined || !offersSsh(request)) refuse(socket, 400);
      else if (!invitations.isExpecting || strangers >= MOST_STRANGERS) refuse(socket, 503, { 'Retry-After': '5' });
      else if (tries.isSpent(network, performance.now())) refuse(socket, 429, { 'Retry-After': '10' });
      else webSockets.handleUpgrade(request, socket, head, (webSocket) => welcome(webSocket, network));
      return true;
    },
    close() {
      for (const webSocket of webSockets.clients) webSocket.terminate();
    },
  };
}

interface Conversation {
  /** Undefined when the two do not fit. */
  admit(id: string, secret: string): Invitation | undefined;
  /** It asked for its forward. */
  bound(invitation: Invitation, channels: Channels): void;
  cut(): void;
}

/** One router's SSH connection, from its first word to the forward. */
function converse(client: ssh.Connection, { admit, bound, cut }: Conversation): void {
  let invitation: Invitation | undefined;
  let isBound = false;
  let wrong = 0;
  client.on('error', cut);
  client.on('close', cut);
  client.on('authentication', (context) => {
    if (context.method === 'password') invitation = admit(context.username, context.password);
    if (invitation !== undefined) context.accept();
    // The first try of most clients is 'none', to hear what may be tried.
    else if (context.method === 'none' || ++wrong < 3) context.reject(['password']);
    else cut();
  });
  client.on('request', (accept: ((port?: number) => void) | undefined, reject: (() => void) | undefined, name, info) => {
    if (name !== 'tcpip-forward' || invitation === undefined || isBound || !('bindAddr' in info)) {
      reject?.();
      return;
    }
    if (info.bindAddr !== invitation.service) {
      reject?.();
      return;
    }
    isBound = true;
    const port = info.bindPort === 0 ? ports[invitation.service] : info.bindPort;
    accept?.(port);
    bound(invitation, new Channels(client, { address: info.bindAddr, port }));
  });
}

/** What a forward of port 0 is told to be; nothing listens there, it only has to be a name. */
const ports = { ssh: 22, gui: 80 } as const;

function offersSsh(request: IncomingMessage): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return request.method === 'GET' && offered.split(',').some((protocol) => protocol.trim() === SUBPROTOCOL);
}

/** A router that lost its power says nothing: two pings without an answer, and it is gone. */
function keepAlive(webSocket: WebSocket): void {
  let isAlive = true;
  webSocket.on('pong', () => void (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) webSocket.terminate();
    isAlive = false;
    webSocket.ping(undefined, false, ignore);
  }, PING_MS);
  timer.unref();
  webSocket.once('close', () => clearInterval(timer));
}

function ignore(): void {}
