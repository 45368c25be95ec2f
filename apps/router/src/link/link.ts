import { USP_SUBPROTOCOL } from '@highline/usp';
import { WebSocket } from 'ws';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Endpoints, Segment } from '../diagnostics/pcap.ts';
import type { Log } from '../log.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { CellAddress, type CellMemory } from './cell-address.ts';
import { type BackoffOptions, type EndReason, reconnectDelay } from './backoff.ts';

export type LinkOptions = {
  scheduler: Scheduler;
  random: () => number;
  backoff: BackoffOptions;
  /** The server pings; a socket without input for this long is dead. */
  silenceMs: number;
  /** Reads the client certificate for the cloud; undefined: none. */
  certificate: (() => ClientCertificate) | undefined;
  /** The cell that the configured server redirected to. */
  cell: CellMemory;
  log: Log;
};

/** A client certificate with its key, both PEM. */
export type ClientCertificate = { readonly cert: string; readonly key: string };

/** Events of a link for its agent. */
export type LinkEvents = {
  up(): void;
  down(): void;
  /** One binary frame. */
  frame(bytes: Uint8Array): void;
};

/** Larger than any controller needs to send; the socket closes with 1009. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
const HANDSHAKE_TIMEOUT_MS = 20_000;
/** Time limit of a closing handshake. */
const CLOSE_TIMEOUT_MS = 1_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CLOSE_SERVER_RESTART = new Set([1012, 1013]);

/**
 * A WebSocket that reconnects by itself (TR-369 "WebSocket Binding"). It carries frames and does not interpret them. It also
 * simulates faults of the network: `onCoverageLost` makes it silent without closing, `setLatency` slow.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #events: LinkEvents;
  #socket: WebSocket | undefined;
  #urlNow: () => string | undefined = () => undefined;
  #running = false;
  #up = false;
  #hasNoCoverage = false;
  #latencyMs = 0;
  #failures = 0;
  #lastContact = 0;
  #reason: EndReason | 'redirected' = { kind: 'lost' };
  readonly #address: CellAddress;
  /** Frames held back without coverage, in order; sent when coverage returns, as TCP would. */
  #queued: Uint8Array[] = [];
  #endpoints: Endpoints | undefined;
  readonly #observers = new Set<(segment: Segment) => void>();
  #cancelRetry: Cancel | undefined;
  #cancelWatch: Cancel | undefined;

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
    this.#address = new CellAddress(options.cell);
  }

  /** Address of the current or last attempt, with the secret in it; empty = there was none. */
  get address(): string {
    return this.#address.current;
  }

  get isUp(): boolean {
    return this.#up;
  }

  /** @param urlNow full address, with the secret in its path: never logged. Undefined: do not connect. Read at each attempt */
  start(urlNow: () => string | undefined): void {
    this.#urlNow = urlNow;
    this.#running = true;
    this.#connect();
  }

  /** Stop permanently: with a close frame when `graceful`, else like a power cut. Resolves when the socket is gone. */
  async stop(graceful: boolean): Promise<void> {
    this.#running = false;
    this.#cancelRetry?.();
    const socket = this.#socket;
    this.#ended();
    if (!socket) return;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (graceful && !this.#hasNoCoverage && socket.readyState === WebSocket.OPEN) {
      socket.close(1001);
      this.#options.scheduler.after(CLOSE_TIMEOUT_MS, () => socket.terminate());
    } else socket.terminate();
    await closed;
  }

  /** Close and reconnect as after any loss. */
  drop(): void {
    this.#socket?.terminate();
  }

  /** The address, or the way to it, has changed: reconnect; events of the old connection are ignored. */
  reconnect(): void {
    const socket = this.#socket;
    this.#ended();
    socket?.terminate();
    this.#failures = 0;
    this.#cancelRetry?.();
    if (this.#running) this.#retry({ kind: 'lost' });
  }

  /** The server sent a valid record: reset the backoff. */
  confirm(): void {
    this.#failures = 0;
  }

  /** Send a frame. False when there is no connection; the frame is not kept. */
  send(frame: Uint8Array): boolean {
    if (!this.#up || !this.#socket) return false;
    if (this.#hasNoCoverage) this.#queued.push(frame);
    else this.#later(() => this.#write(frame));
    return true;
  }

  /** Call a function with each frame that is sent or received, until the returned function is called. */
  observe(observer: (segment: Segment) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Delay everything in both directions; 0 ends it. Order is kept. */
  setLatency(ms: number): void {
    this.#latencyMs = ms;
  }

  /** Half-open: nothing is sent or received, no close is sent, new connections fail, until `onCoverageRestored`. */
  onCoverageLost(): void {
    this.#hasNoCoverage = true;
    this.#socket?.pause();
  }

  onCoverageRestored(): void {
    if (!this.#hasNoCoverage) return;
    this.#hasNoCoverage = false;
    this.#lastContact = this.#options.scheduler.elapsed();
    this.#socket?.resume();
    for (const frame of this.#queued.splice(0)) this.#write(frame);
  }

  #connect(): void {
    if (!this.#running) return;
    this.#reason = { kind: 'lost' };
    try {
      const url = this.#hasNoCoverage ? undefined : this.#urlNow();
      if (url === undefined) this.#retry({ kind: 'lost' });
      else this.#open(url);
    } catch (error) {
      // E.g. a certificate that cannot be read.
      this.#options.log('warn', 'link.not_opened', { error: error instanceof Error ? error.message : String(error) });
      this.#retry({ kind: 'lost' });
    }
  }

  /** @throws Error for a certificate or an address that cannot be used */
  #open(url: string): void {
    const certificate = this.#options.certificate?.();
    const socket = new WebSocket(this.#address.next(url), USP_SUBPROTOCOL, {
      autoPong: false,
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: MAX_FRAME_BYTES,
      ...certificate,
    });
    this.#socket = socket;
    this.#listen(socket);
  }

  #listen(socket: WebSocket): void {
    const mine = (act: () => void) => () => {
      if (this.#socket === socket) act();
    };
    socket.on('upgrade', ({ socket: stream }) => (this.#endpoints = endpointsOf(stream)));
    socket.on(
      'open',
      mine(() => this.#opened()),
    );
    socket.on('ping', (data) => this.#later(() => this.#respondToPing(socket, data)));
    socket.on('message', (data, isBinary) => this.#later(mine(() => this.#received(data, isBinary))));
    socket.on('unexpected-response', (_request, response) => this.#rejected(socket, response));
    // Node joins the errors of several addresses under an empty message.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#options.log('info', 'link.error', { reason: error.message || error.code }),
    );
    socket.on('close', (code) => {
      if (this.#socket === socket) this.#closed(code);
    });
  }

  #opened(): void {
    this.#up = true;
    this.#address.opened();
    if (this.#hasNoCoverage) this.#socket?.pause();
    this.#lastContact = this.#options.scheduler.elapsed();
    this.#watch();
    this.#events.up();
  }

  #received(data: WebSocket.RawData, isBinary: boolean): void {
    this.#lastContact = this.#options.scheduler.elapsed();
    // R-WS.16: USP records travel in binary frames only.
    if (!isBinary) this.#socket?.close(1003);
    else if (data instanceof Uint8Array) {
      this.#notifyObservers(false, data);
      this.#events.frame(data);
    }
  }

  #respondToPing(socket: WebSocket, data: Buffer): void {
    if (this.#socket !== socket || this.#hasNoCoverage || socket.readyState !== WebSocket.OPEN) return;
    this.#lastContact = this.#options.scheduler.elapsed();
    socket.pong(data);
  }

  #rejected(socket: WebSocket, response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    if (REDIRECTS.has(status) && this.#socket === socket) this.#follow(response.headers.location);
    if (status === 401 || status === 403) this.#reason = { kind: 'rejected' };
    else if (status === 503 || status === 429) this.#reason = serverRestartOf(response.headers['retry-after']);
    if (this.#reason !== 'redirected') this.#options.log('warn', 'link.rejected', { status });
    // With a listener on 'unexpected-response' the socket waits for us to end it.
    socket.terminate();
  }

  #follow(location: string | undefined): void {
    try {
      this.#address.redirected(location);
      this.#reason = 'redirected';
    } catch (error) {
      this.#options.log('warn', 'link.redirect_rejected', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #closed(code: number): void {
    if (CLOSE_SERVER_RESTART.has(code)) this.#reason = { kind: 'server-restart' };
    this.#options.log('info', 'link.closed', { code });
    const reason = this.#reason;
    if (!this.#up && reason !== 'redirected') this.#address.failed(reason.kind === 'rejected');
    this.#ended();
    if (!this.#running) return;
    if (reason === 'redirected') this.#connect();
    else this.#retry(reason);
  }

  #ended(): void {
    this.#socket = undefined;
    this.#queued = [];
    this.#cancelWatch?.();
    if (!this.#up) return;
    this.#up = false;
    this.#events.down();
  }

  #retry(reason: EndReason): void {
    const delay = reconnectDelay(this.#options.backoff, reason, this.#failures, this.#options.random());
    this.#failures++;
    this.#cancelRetry = this.#options.scheduler.after(delay, () => this.#connect());
  }

  /** Check periodically whether the server still sends; a link without coverage only waits. */
  #watch(): void {
    const { scheduler, silenceMs, log } = this.#options;
    this.#cancelWatch = scheduler.after(silenceMs / 2, () => {
      if (!this.#hasNoCoverage && scheduler.elapsed() - this.#lastContact > silenceMs) {
        log('warn', 'link.silent', { silenceMs });
        this.#socket?.terminate();
      } else this.#watch();
    });
  }

  #write(frame: Uint8Array): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#notifyObservers(true, frame);
    this.#socket.send(frame);
  }

  #notifyObservers(isSent: boolean, payload: Uint8Array): void {
    const endpoints = this.#endpoints;
    if (endpoints === undefined) return;
    for (const observer of this.#observers) observer({ endpoints, isSent, payload, at: Date.now() });
  }

  #later(act: () => void): void {
    if (this.#latencyMs > 0) this.#options.scheduler.after(this.#latencyMs, act);
    else act();
  }
}

function endpointsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): Endpoints | undefined {
  if (localAddress === undefined || remoteAddress === undefined) return undefined;
  return {
    local: { address: localAddress, port: localPort ?? 0 },
    remote: { address: remoteAddress, port: remotePort ?? 0 },
  };
}

function serverRestartOf(header: string | undefined): EndReason {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds > 0
    ? { kind: 'server-restart', afterMs: Math.min(seconds, 3600) * 1000 }
    : { kind: 'server-restart' };
}
