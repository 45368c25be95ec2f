import { createHash, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Client, ClientChannel, TcpConnectionDetails } from 'ssh2';
import { WebSocket, createWebSocketStream } from 'ws';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { joinStreams } from '../platform/join-streams.ts';
import { guard } from './guard.ts';
import { sshLibrary } from './ssh-library.ts';
import type { TunnelRequest } from './remote-control.ts';

export type TunnelOptions = {
  request: TunnelRequest;
  scheduler: Scheduler;
  /** Connect to its service. Rejects while that does not accept, or when the signal aborts. */
  connect: (signal: AbortSignal) => Promise<Duplex>;
  up: () => void;
  /** Called once, with the reason for a log. */
  ended: (reason: string) => void;
};

const MINUTE = 60_000;
/** Time limit from the connection to the accepted forward. */
const OPENING_MS = 20_000;
const IDLE_MS = 10 * MINUTE;
const LONGEST_MS = 60 * MINUTE;
/** Time limit of a closing handshake. */
const CLOSE_TIMEOUT_MS = 1_000;
const KEEPALIVE_MS = 20_000;
const KEEPALIVE_MISSES = 3;
const MAX_CHANNELS = 32;
/** Time limit of the service for a connection. */
const CONNECT_MS = 10_000;

/**
 * A tunnel from the cloud to one service of this router, opened by the router, since a router behind NAT is unreachable: an SSH
 * client over a WebSocket requests a reverse forward, and each channel of it is connected to the service on loopback and to
 * nothing else.
 */
export class Tunnel {
  readonly #options: TunnelOptions;
  /** With the service that each is connected to. */
  readonly #channels = new Map<ClientChannel, Duplex>();
  readonly #connecting = new Set<AbortController>();
  readonly #timers = new Set<Cancel>();
  #socket: WebSocket | undefined;
  #stream: Duplex | undefined;
  #client: Client | undefined;
  #cancelIdle: Cancel | undefined;
  #cancelOpening: Cancel | undefined;
  #hasNoCoverage = false;
  #over = false;

  constructor(options: TunnelOptions) {
    this.#options = options;
  }

  start(): void {
    const { request } = this.#options;
    this.#cancelOpening = this.#after(OPENING_MS, 'did not open in time');
    this.#after(LONGEST_MS, 'maximum duration reached');
    this.#socket = new WebSocket(request.address, 'ssh', {
      autoPong: false,
      perMessageDeflate: false,
      handshakeTimeout: OPENING_MS,
    });
    this.#socket.on(
      'open',
      this.#guarded(() => this.#authenticate()),
    );
    // A router without coverage answers nothing.
    this.#socket.on(
      'ping',
      this.#guarded((data: Buffer) => this.#hasNoCoverage || this.#socket?.pong(data)),
    );
    this.#socket.on(
      'error',
      this.#guarded((error: NodeJS.ErrnoException) => this.end(`interrupted: ${error.message || error.code}`)),
    );
    this.#socket.on(
      'close',
      this.#guarded(() => this.end('the cloud closed it', false)),
    );
  }

  /** End it and everything that came through it: with a closing handshake, or at once like a power cut. */
  end(reason: string, graceful = true): void {
    if (this.#over) return;
    this.#over = true;
    for (const cancel of this.#timers) cancel();
    this.#cancelIdle?.();
    for (const attempt of this.#connecting) attempt.abort();
    for (const streams of this.#channels) for (const stream of streams) stream.destroy();
    if (graceful && !this.#hasNoCoverage) this.#close();
    else this.#destroy();
    this.#options.ended(reason);
  }

  /** Become silent, half-open. */
  onCoverageLost(): void {
    this.#hasNoCoverage = true;
    this.#stream?.cork();
    this.#stream?.pause();
  }

  onCoverageRestored(): void {
    this.#hasNoCoverage = false;
    this.#stream?.uncork();
    this.#stream?.resume();
  }

  #close(): void {
    this.#client?.end();
    this.#socket?.close(1000);
    this.#options.scheduler.after(CLOSE_TIMEOUT_MS, () => this.#destroy());
  }

  #destroy(): void {
    this.#stream?.destroy();
    this.#socket?.terminate();
  }

  #authenticate(): void {
    if (this.#over || !this.#socket) return;
    const { request } = this.#options;
    this.#stream = createWebSocketStream(this.#socket);
    this.#client = new (sshLibrary().Client)();
    this.#client.on(
      'ready',
      this.#guarded(() => this.#forward()),
    );
    this.#client.on(
      'tcp connection',
      this.#guarded((details: TcpConnectionDetails, accept: () => ClientChannel, reject: () => void) =>
        this.#take(details, accept, reject),
      ),
    );
    this.#client.on(
      'error',
      this.#guarded((error: Error) => this.end(`rejected: ${error.message}`)),
    );
    this.#client.on(
      'close',
      this.#guarded(() => this.end('the cloud closed it')),
    );
    this.#client.connect({
      sock: this.#stream,
      username: request.user,
      password: request.secret,
      authHandler: ['password'],
      hostVerifier: (key: Buffer) => this.#isTheCloud(key),
      readyTimeout: OPENING_MS,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: KEEPALIVE_MISSES,
    });
    if (this.#hasNoCoverage) this.onCoverageLost();
  }

  /** A callback whose error ends only this tunnel. */
  readonly #guarded = <Handle extends (...args: never[]) => unknown>(handle: Handle) =>
    guard((error) => this.end(`failed: ${error instanceof Error ? error.message : 'unknown fault'}`, false), handle);

  /** TLS may be missing in a demo, or end at a proxy: this check ensures that the secret is sent only to the cloud. */
  #isTheCloud(key: Buffer): boolean {
    const own = Buffer.from(`SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`);
    const expected = Buffer.from(this.#options.request.hostKey);
    const isIt = own.length === expected.length && timingSafeEqual(own, expected);
    if (!isIt) this.end('the host key is not the one of the cloud', false);
    return isIt;
  }

  #forward(): void {
    this.#client?.forwardIn(this.#bindAddress, 0, (error) => {
      if (error) return this.end(`was not forwarded: ${error.message}`);
      this.#cancelOpening?.();
      this.#rest();
      return this.#options.up();
    });
  }

  get #bindAddress(): string {
    const { service } = this.#options.request;
    if (typeof service !== 'string') return 'client';
    return service === 'SSH' ? 'ssh' : 'gui';
  }

  async #take({ destIP }: TcpConnectionDetails, accept: () => ClientChannel, reject: () => void): Promise<void> {
    const isFull = this.#channels.size + this.#connecting.size >= MAX_CHANNELS;
    if (destIP !== this.#bindAddress || isFull || this.#over) return reject();
    this.#cancelIdle?.();
    const service = await this.#connect();
    // The cloud sees whether the service accepts: a channel is opened when it did.
    if (service !== undefined && !this.#over) return this.#join(accept(), service);
    service?.destroy();
    if (!this.#over) reject();
    return this.#restIfUnused();
  }

  async #connect(): Promise<Duplex | undefined> {
    const attempt = new AbortController();
    const cancel = this.#options.scheduler.after(CONNECT_MS, () => attempt.abort());
    this.#connecting.add(attempt);
    try {
      return await this.#options.connect(attempt.signal);
    } catch {
      return undefined;
    } finally {
      cancel();
      this.#connecting.delete(attempt);
    }
  }

  #join(channel: ClientChannel, service: Duplex): void {
    this.#channels.set(channel, service);
    channel.once(
      'close',
      this.#guarded(() => {
        this.#channels.delete(channel);
        this.#restIfUnused();
      }),
    );
    joinStreams(channel, service);
  }

  #restIfUnused(): void {
    if (this.#channels.size === 0 && this.#connecting.size === 0) this.#rest();
  }

  /** Close it when it is unused for too long. */
  #rest(): void {
    this.#cancelIdle?.();
    if (!this.#over) this.#cancelIdle = this.#options.scheduler.after(IDLE_MS, () => this.end('unused for too long'));
  }

  #after(ms: number, reason: string): Cancel {
    const cancel = this.#options.scheduler.after(ms, () => this.end(reason));
    this.#timers.add(cancel);
    return cancel;
  }
}
