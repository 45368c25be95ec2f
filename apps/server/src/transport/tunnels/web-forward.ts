import { request as ask, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { rejectSocket } from '../upgrades/index.ts';
import { doNothing, guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';
import type { TunnelClient } from '../../platform/ports/tunnels.ts';
import { NoChannel, type Channels } from './channels.ts';
import { clientPages, withOwnLocation } from './client-pages.ts';
import { requestHeaders, responseHeaders, type SetCookies } from './headers.ts';
import { sendPlainPage } from './plain-page.ts';

/** Time limit for the router to begin its response once it has the request, and to take any more of a request that is being sent. */
const RESPONSE_MS = 30_000;

interface Way {
  readonly channels: Pick<Channels, 'open'>;
  readonly isSecure: boolean;
  /** Value of the cookie that lets a browser return. */
  readonly pass: string;
  /** What the router set. */
  readonly known: SetCookies;
  /** The client behind the router, instead of its own page. */
  readonly client: TunnelClient | undefined;
  /** It began to answer a request. */
  readonly answered: () => void;
  readonly log: Log;
}

/** Forward one request to the router's web page and stream its response back. */
export async function forward(request: IncomingMessage, response: ServerResponse, way: Way): Promise<void> {
  const channel = await openChannel(way.channels);
  const pageOf = (name: 'full' | 'gone' | 'silent') => (way.client === undefined ? name : clientPages[name]);
  if (typeof channel === 'string') return sendPlainPage(request, response, pageOf(channel));
  if (response.destroyed) return void channel.destroy();
  const { outgoing, responded } = send(request, channel, way, {});
  response.once('close', () => channel.destroy());
  let isBegun = false;
  let hasFailed = false;
  const fail = (page: 'gone' | 'silent') => {
    if (hasFailed) return;
    hasFailed = true;
    channel.destroy();
    if (response.headersSent) response.destroy();
    else sendPlainPage(request, response, pageOf(page));
  };
  const relay = (result: IncomingMessage): void => {
    const status = statusOf(result);
    if (status === undefined) return fail('gone');
    isBegun = true;
    // The visitor left while the router began to answer.
    if (response.destroyed) return void channel.destroy();
    const own = responseHeaders(result, way);
    const headers = way.client === undefined ? own : withOwnLocation(own, request, way.client);
    if (typeof headers === 'string') {
      channel.destroy();
      return sendPlainPage(request, response, headers);
    }
    way.answered();
    response.writeHead(status, headers);
    // When the response breaks off, cut it for the browser too: it is incomplete.
    pipeline(result, response, (error) => void (error && response.destroy()));
  };
  outgoing.on(
    'response',
    guard(way.log, () => fail('gone'), relay),
  );
  // Without a listener, an upgrade that was not requested would end the connection without a response.
  for (const event of ['error', 'upgrade'])
    outgoing.on(
      event,
      guard(
        way.log,
        () => response.destroy(),
        () => fail('gone'),
      ),
    );
  outgoing.once(
    'close',
    guard(
      way.log,
      () => response.destroy(),
      () => {
        if (!isBegun) fail('gone');
      },
    ),
  );
  responded.catch(() => fail('silent'));
  pipeline(request, outgoing, doNothing);
}

/**
 * Forward an upgrade (usually a WebSocket) to the router's web page: after its agreement, bytes pass unchanged in both
 * directions.
 */
export async function forwardUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, way: Way): Promise<void> {
  const channel = await openChannel(way.channels);
  if (typeof channel === 'string') return rejectSocket(socket, channel === 'full' ? 503 : 502);
  if (socket.destroyed) return void channel.destroy();
  socket.once('close', () => channel.destroy());
  const { outgoing, responded } = send(request, channel, way, upgradeHeaders(request));
  relayUpgrade({ outgoing, responded }, socket, head, way.log);
}

/** Headers of an upgrade, which are hop-by-hop. */
export function upgradeHeaders({ headers: { upgrade = '' } }: IncomingMessage): Readonly<Record<string, string>> {
  return { connection: 'Upgrade', upgrade };
}

/** A request under way. */
interface Sent {
  readonly outgoing: ClientRequest;
  /** Rejects when the other side is silent. */
  readonly responded: Promise<void>;
}

/** Send an upgrade, and pass bytes on in both directions once the other side agrees. Otherwise reject it with that side's status. */
export function relayUpgrade({ outgoing, responded }: Sent, socket: Duplex, head: Buffer, log: Log): void {
  const fail = (status: number): void => {
    outgoing.destroy();
    rejectSocket(socket, status);
  };
  const relay = (response: IncomingMessage, far: Duplex, first: Buffer): void => {
    far.on('error', doNothing);
    if (socket.destroyed) return void far.destroy();
    socket.once('close', () => far.destroy());
    socket.write(headOf(response));
    if (first.length > 0) socket.write(first);
    if (head.length > 0) far.write(head);
    // After what the other side sent last.
    far.once('close', () => socket.end(() => socket.destroy()));
    socket.pipe(far);
    far.pipe(socket);
  };
  socket.once('close', () => outgoing.destroy());
  outgoing.on(
    'upgrade',
    guard(log, () => fail(502), relay),
  );
  // An ordinary answer means no.
  outgoing.on(
    'response',
    guard(
      log,
      () => fail(502),
      (response: IncomingMessage) => fail(statusOf(response) ?? 502),
    ),
  );
  outgoing.on(
    'error',
    guard(
      log,
      () => socket.destroy(),
      () => fail(502),
    ),
  );
  responded.catch(() => fail(504));
  outgoing.end();
}

/** The status of a router's final answer. Undefined for one outside HTTP (RFC 9110, 15), which must not be passed on. */
function statusOf({ statusCode = 0 }: IncomingMessage): number | undefined {
  return statusCode >= 200 && statusCode <= 599 ? statusCode : undefined;
}

async function openChannel(channels: Way['channels']): Promise<Duplex | 'full' | 'gone'> {
  try {
    return await channels.open();
  } catch (error) {
    if (error instanceof NoChannel) return error.why === 'full' ? 'full' : 'gone';
    throw error;
  }
}

function send(request: IncomingMessage, channel: Duplex, { isSecure, known }: Way, more: Readonly<Record<string, string>>): Sent {
  channel.on('error', doNothing);
  const outgoing = ask({
    createConnection: () => channel,
    method: request.method,
    path: request.url,
    headers: { ...requestHeaders(request, isSecure, known), connection: 'close', ...more },
    setHost: false,
  });
  return { outgoing, responded: awaitResponse(request, outgoing) };
}

/** Resolves when a request has its response or has ended. Rejects when the router is silent: an upload may take longer than that. */
export function awaitResponse({ socket }: IncomingMessage, outgoing: ClientRequest): Promise<void> {
  // Grows with what the router takes; what only waits for it adds to both.
  const taken = () => socket.bytesRead - outgoing.writableLength;
  let before = taken();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (outgoing.writableFinished || taken() === before) return reject(new Error('The router did not answer.'));
      before = taken();
      timer.refresh();
      return undefined;
    }, RESPONSE_MS);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    for (const event of ['response', 'upgrade', 'error', 'close']) outgoing.once(event, finish);
    outgoing.once('finish', () => void timer.refresh());
  });
}

function headOf({ statusCode = 101, statusMessage = '', rawHeaders }: IncomingMessage): string {
  // Drop cookies here; only page answers limit them to this host.
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== 'set-cookie' ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
