import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { USP_SUBPROTOCOL } from '@highline/usp';
import { WebSocketServer } from 'ws';
import { doNothing, guard } from '../../../kernel/guard.ts';
import type { Log } from '../../../platform/ports/log.ts';
import type { Admission, Shown, Decision } from '../admission.ts';
import type { AdmittedRouter } from '../../../domains/inventory/index.ts';
import type { CertificateReader } from '../client-certificates.ts';
import type { RejectedConnection } from '../../../domains/inventory/index.ts';
import type { GatewaySettings } from '../settings.ts';
import { UspExtension } from './extension.ts';
import { Links, RouterSocket, WebSocketLink } from './link.ts';
import { readUspAddress, rejectSocket } from '../../upgrades/index.ts';

export interface UpgradeDeps {
  readonly log: Pick<Log, 'error'>;
  readonly admission: Admission;
  readonly settings: Pick<GatewaySettings, 'controllerId' | 'maxMessageBytes' | 'closeMs'>;
  /** Client address as seen through trusted proxies. */
  addressOf(request: IncomingMessage): string;
  /** The client certificate of the TLS handshake. */
  certificateOf: CertificateReader;
  /** Takes an upgrade that is not for the gateway, whatever its path; false = it may be for the gateway. */
  otherUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** The secret was right, but something else was not. */
  rejected(router: AdmittedRouter, rejection: RejectedConnection): void;
  /** A router connected, whose credentials were read after `lookedUpAt` (`performance.now()`). */
  connected(router: AdmittedRouter, link: WebSocketLink, lookedUpAt: number): void;
}

export interface Upgrades {
  /** Accept no more; open connections stay. */
  close(): void;
  /** Cut all open connections. */
  cutAll(): void;
}

/** Handle every upgrade of the server from now on. */
export function acceptUpgrades(server: Server | SecureServer, deps: UpgradeDeps): Upgrades {
  const { controllerId, maxMessageBytes, closeMs } = deps.settings;
  let isClosed = false;
  // Supported by ws, missing in its types.
  const notYetTyped = { closeTimeout: closeMs };
  const webSockets = new WebSocketServer({
    noServer: true,
    WebSocket: RouterSocket,
    // The links are known here.
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    // In addition to maxPayload: limits the overhead of a fragmented message.
    maxFragments: 1_024,
    maxBufferedChunks: 2_048,
    ...notYetTyped,
    handleProtocols: () => USP_SUBPROTOCOL,
  });
  const links = new Links(deps.log);
  const extension = new UspExtension(controllerId);
  const extensions = new WeakMap<IncomingMessage, string>();
  const responseHeaders = (headers: string[], request: IncomingMessage): void => {
    const value = extensions.get(request);
    if (value !== undefined) headers.push(`Sec-WebSocket-Extensions: ${value}`);
  };
  webSockets.on(
    'headers',
    guard(deps.log, (_headers, request) => request.destroy(), responseHeaders),
  );

  const welcome = async (request: IncomingMessage, socket: Duplex, head: Buffer, shown: Shown, eid: string | null) => {
    const address = deps.addressOf(request);
    const decision = await deps.admission.admit(shown, address);
    const rejection = 'router' in decision ? rejectionOf(request, eid, decision) : undefined;
    if ('router' in decision && rejection !== undefined) deps.rejected(decision.router, { ...rejection, address });
    if (socket.destroyed) return;
    if (isClosed) rejectSocket(socket, 503, { 'Retry-After': String(1 + Math.floor(Math.random() * 10)) });
    else if (!offersUsp(request)) rejectSocket(socket, 400);
    else if (!('router' in decision)) rejectUpgrade(socket, decision);
    // The same response as to a wrong secret: the status does not reveal which of the two was right.
    else if (rejection !== undefined) rejectSocket(socket, 401);
    else {
      const { router, lookedUpAt } = decision;
      const value = extension.respond(router.routerId, request);
      if (value !== undefined) extensions.set(request, value);
      const ended = () => {
        if (isClosed) return;
        if (value !== undefined) extension.leaveOut(router.routerId);
        deps.rejected(router, { reason: 'no-record', address });
      };
      const connected = (webSocket: RouterSocket) =>
        deps.connected(router, new WebSocketLink(webSocket, socket as Socket, address, links, ended), lookedUpAt);
      webSockets.handleUpgrade(
        request,
        socket,
        head,
        guard(deps.log, () => socket.destroy(), connected),
      );
    }
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> | undefined => {
    // Lost while it waits: nothing to do, but an unhandled error would end the process.
    socket.on('error', doNothing);
    if (deps.otherUpgrade(request, socket, head)) return undefined;
    const { isOurs, secret, eid } = readUspAddress(request.url ?? '');
    const certificate = isOurs ? deps.certificateOf(socket) : undefined;
    if (!isOurs || (secret === undefined && certificate === undefined)) rejectSocket(socket, 404);
    else if (request.method !== 'GET') rejectSocket(socket, 400);
    else return welcome(request, socket, head, { secret, certificate }, eid);
    return undefined;
  };

  server.on(
    'upgrade',
    guard(deps.log, (_request, socket) => socket.destroy(), upgrade),
  );
  return {
    close() {
      isClosed = true;
    },
    cutAll() {
      for (const link of links.open) link.terminate();
    },
  };
}

type KnownRouter = Extract<Decision, { router: unknown }>;

function rejectionOf(
  request: IncomingMessage,
  eid: string | null,
  decision: KnownRouter,
): Omit<RejectedConnection, 'address'> | undefined {
  if (!offersUsp(request)) return { reason: 'subprotocol', received: request.headers['sec-websocket-protocol'] };
  if (decision.rejected !== undefined) return { reason: decision.rejected };
  return eid === null || eid === decision.router.endpointId ? undefined : { reason: 'endpoint', received: eid };
}

function rejectUpgrade(socket: Duplex, decision: Exclude<Decision, { router: unknown }>): void {
  if (decision.rejected === 'unknown') rejectSocket(socket, 401);
  else rejectSocket(socket, decision.rejected === 'busy' ? 503 : 429, { 'Retry-After': String(decision.retryAfter) });
}

function offersUsp(request: IncomingMessage): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return offered.split(',').some((protocol) => protocol.trim() === USP_SUBPROTOCOL);
}
