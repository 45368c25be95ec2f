import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh from 'ssh2';
import { createWebSocketStream, WebSocketServer, type RawData, type WebSocket } from 'ws';
import { Allowance, networkOf, rejectSocket } from '../upgrades/index.ts';
import { doNothing, guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';
import { Channels } from './channels.ts';
import { Handshakes } from './handshakes.ts';
import type { HostKey } from './host-key.ts';
import { keepAlive } from './keep-alive.ts';
import type { TunnelInvitation, Invitations } from './invitations.ts';

/** The WebSocket subprotocol of a tunnel: plain SSH in binary messages. */
const SUBPROTOCOL = 'ssh';
/** Wrong secrets in a row per network. */
const WRONG_TRIES = 20;
/** Time limit from the WebSocket to the requested forward. */
const TIMEOUT_MS = 15_000;
/** Time limit from the WebSocket to the first bytes of SSH, which a router sends at once (RFC 4253, 4.2). */
const IDENTIFICATION_MS = 2_000;
/** Bytes that wait for a router. Its connections wait before that, so that it takes one that only requests and never reads. */
const MOST_BUFFERED = 8 * 1_048_576;

/** A router that connected and requested its forward. */
export interface Arrival {
  readonly id: string;
  readonly channels: Channels;
  /** Cut it off. */
  close(): void;
  /** Resolves when its connection has ended. */
  readonly ended: Promise<void>;
}

export interface TunnelEndpointDeps {
  readonly hostKey: HostKey;
  readonly invitations: Invitations;
  addressOf(request: IncomingMessage): string;
  arrived(arrival: Arrival): void;
  readonly log: Pick<Log, 'error'>;
}

export interface TunnelEndpoint {
  /** Takes an upgrade to /tunnel; false = it is for another handler. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Cut all connections. */
  close(): void;
}

/**
 * The endpoint for routers: an SSH server over WebSocket with a single function. An expected router may request one forward, for
 * its session's service; there is no shell, no command and no other forward. A stock `ssh -N -R` works too.
 */
export function createTunnelEndpoint({ hostKey, invitations, addressOf, arrived, log }: TunnelEndpointDeps): TunnelEndpoint {
  const tries = new Allowance(WRONG_TRIES);
  const handshakes = new Handshakes();

  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 1_048_576,
    handleProtocols: () => SUBPROTOCOL,
  });
  const welcome = (webSocket: WebSocket, network: string): void => {
    const cut = () => webSocket.terminate();
    const handshake = handshakes.begin(network, cut);
    const silence = setTimeout(cut, IDENTIFICATION_MS);
    const identify = (data: RawData): void => {
      clearTimeout(silence);
      if (!isIdentification(data) || !handshake.speaks()) cut();
    };
    webSocket.once('message', guard(log, cut, identify));
    keepAlive(webSocket, log);
    const stream = createWebSocketStream(webSocket);
    stream.on('error', doNothing);
    webSocket.on('message', () => void (stream.writableLength > MOST_BUFFERED && cut()));
    // By itself the stream would only end, and its connections would wait forever.
    webSocket.once('close', () => stream.destroy());
    webSocket.once('close', () => clearTimeout(silence));
    webSocket.once(
      'close',
      guard(log, () => {}, handshake.over),
    );
    const timer = setTimeout(cut, TIMEOUT_MS);
    webSocket.once('close', () => clearTimeout(timer));
    // One SSH server per connection: nothing else shows which router a connection belongs to.
    const serve = (client: ssh.Connection): void =>
      converse(client, {
        log,
        stream,
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
          handshake.over();
          const ended = new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
          arrived({ id, channels, close: cut, ended });
        },
      });
    // A packet of compressed data grows a thousandfold, before its sender has signed in.
    const algorithms = { compress: ['none' as const] };
    const server = new ssh.Server({ hostKeys: [hostKey.privateKey], ident: 'highline', algorithms }, guard(log, cut, serve));
    // Its types require a socket; it only uses a stream.
    server.injectSocket(stream as unknown as Socket);
  };

  return {
    upgrade(request, socket, head) {
      if (request.url?.split('?', 1)[0] !== '/tunnel') return false;
      const network = networkOf(addressOf(request));
      // Browsers send an Origin; routers do not.
      if (request.headers.origin !== undefined || !offersSsh(request)) rejectSocket(socket, 400);
      else if (!invitations.isExpecting) rejectSocket(socket, 503, { 'Retry-After': '5' });
      else if (tries.isSpent(network, performance.now())) rejectSocket(socket, 429, { 'Retry-After': '10' });
      else
        webSockets.handleUpgrade(
          request,
          socket,
          head,
          guard(
            log,
            () => socket.destroy(),
            (webSocket: WebSocket) => welcome(webSocket, network),
          ),
        );
      return true;
    },
    close() {
      for (const webSocket of webSockets.clients) webSocket.terminate();
    },
  };
}

interface Conversation {
  readonly log: Pick<Log, 'error'>;
  /** What it is sent through. */
  readonly stream: Duplex;
  /** Undefined when id and secret do not match. */
  admit(id: string, secret: string): TunnelInvitation | undefined;
  /** The forward was requested. */
  bound(invitation: TunnelInvitation, channels: Channels): void;
  cut(): void;
}

/** Handle one router's SSH connection, from the start to the forward. */
function converse(client: ssh.Connection, { log, stream, admit, bound, cut }: Conversation): void {
  let invitation: TunnelInvitation | undefined;
  let isBound = false;
  let wrong = 0;
  client.on('error', cut);
  client.on('close', cut);
  const authenticate = (context: ssh.AuthContext): void => {
    if (context.method === 'password') invitation = admit(context.username, context.password);
    if (invitation !== undefined) context.accept();
    // Most clients first try 'none', to learn the available methods.
    else if (context.method === 'none' || ++wrong < 3) context.reject(['password']);
    else cut();
  };
  const respond = (
    accept: ((port?: number) => void) | undefined,
    reject: (() => void) | undefined,
    name: string,
    info: ssh.TcpipBindInfo | ssh.SocketBindInfo,
  ): void => {
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
    bound(invitation, new Channels(client, { address: info.bindAddr, port }, stream));
  };
  client.on('authentication', guard(log, cut, authenticate));
  client.on('request', guard(log, cut, respond));
}

/** Whether the first message of a socket begins like SSH; a client may send its identification in fragments. */
function isIdentification(data: RawData): boolean {
  const begin = Buffer.isBuffer(data) ? data.subarray(0, SSH_BEGIN.length).toString('latin1') : '';
  return begin !== '' && SSH_BEGIN.startsWith(begin);
}

const SSH_BEGIN = 'SSH-2.0-';

/** Port numbers reported for a forward of port 0; nothing listens on them, they only serve as names. */
const ports = { ssh: 22, gui: 80, client: 1 } as const;

function offersSsh(request: IncomingMessage): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return request.method === 'GET' && offered.split(',').some((protocol) => protocol.trim() === SUBPROTOCOL);
}
