import { WebSocket } from 'ws';
import { readRecord, writeMessage, writeRecord, type Message, type ReceivedRecord } from './messages/message.ts';

export interface ConnectionOptions {
  /** ws://host:port */
  readonly server: string;
  readonly secret: string;
  readonly endpointId: string;
  readonly controllerId: string;
  /** USP version of its records. */
  readonly version: string;
  /** Milliseconds between two pings of the agent. */
  keepAliveMs(): number;
  /** Milliseconds before the next attempt, after this many failures. */
  retryMs(failures: number): number;
  connected(): void;
  disconnected(reason: string): void;
  received(message: Message): void;
}

/** The agent's WebSocket (TR-369 "WebSocket Binding"): one connection, reopened whenever it is lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopped = false;
  #isDark = false;
  /** Where the server sent this agent, until it fails. */
  #cell: string | undefined;
  #redirects = 0;
  #isMoving = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return !this.#isDark && this.#socket?.readyState === WebSocket.OPEN;
  }

  open(): void {
    const { server, secret, endpointId } = this.#options;
    const address = this.#cell ?? `${server}/usp/${secret}?eid=${encodeURIComponent(endpointId)}`;
    const socket = new WebSocket(address, ['v1.usp'], { perMessageDeflate: false });
    this.#socket = socket;
    let reason = 'closed';
    socket.on('error', (error) => (reason = error.message));
    socket.on('unexpected-response', (_request, { statusCode = 0, headers }) => {
      reason = `status ${statusCode}`;
      this.#isMoving = statusCode > 300 && statusCode < 309 && this.#follow(address, headers.location);
      if (!this.#isMoving) this.#cell = undefined;
      socket.terminate();
    });
    socket.on('open', () => this.#introduce(socket));
    socket.on('message', (data, isBinary) => this.#receive(socket, data as Buffer, isBinary));
    socket.on('close', (code, text) => this.#lost(socket, `${reason} ${code} ${text.toString()}`));
  }

  send(message: Message): void {
    if (this.isConnected) this.#socket?.send(writeMessage(this.#envelope(), message));
  }

  /** End without closing the WebSocket, like a router that restarts or loses power. */
  drop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#keepAlive);
    this.#socket?.terminate();
  }

  /** Coverage is gone: the socket stays open but silent, without pongs. */
  loseCoverage(): void {
    this.#isDark = true;
    clearTimeout(this.#timer);
    clearInterval(this.#keepAlive);
    this.#socket?.pause();
  }

  /** Coverage is back: drop the old socket and open a new one. */
  regainCoverage(): void {
    this.#isDark = false;
    this.#socket?.terminate();
    this.open();
  }

  #envelope() {
    const { version, endpointId, controllerId } = this.#options;
    return { version, fromId: endpointId, toId: controllerId };
  }

  /** Whether a redirect (RFC 6455, 4.1) is followed: five in a row, never to another scheme, unencrypted on this machine only. */
  #follow(from: string, location: string | undefined): boolean {
    const to = location === undefined ? null : URL.parse(location, from);
    this.#redirects += 1;
    if (to === null || this.#redirects > 5 || to.protocol !== new URL(from).protocol) return false;
    if (to.protocol !== 'wss:' && to.hostname !== '127.0.0.1' && to.hostname !== 'localhost') return false;
    this.#cell = to.href;
    return true;
  }

  #introduce(socket: WebSocket): void {
    this.#redirects = 0;
    this.#failures = 0;
    socket.send(writeRecord(this.#envelope(), 'websocketConnect', {}));
    this.#watch(socket);
    this.#options.connected();
  }

  /** A peer that does not answer a ping until the next one is due is gone (TR-369 R-WS.17). */
  #watch(socket: WebSocket): void {
    let isAlive = true;
    socket.on('pong', () => (isAlive = true));
    this.#keepAlive = setInterval(() => {
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
    }, this.#options.keepAliveMs());
  }

  #receive(socket: WebSocket, data: Buffer, isBinary: boolean): void {
    const { endpointId, controllerId, received } = this.#options;
    const record = isBinary ? tryRead(data) : undefined;
    if (record === undefined) {
      socket.close(1003);
      return;
    }
    // Ignore a record for another agent, or from another controller (TR-369 "Record Errors").
    const isOurs = record.toId === endpointId && record.fromId === controllerId;
    if (isOurs && record.message !== undefined) received(record.message);
  }

  #lost(socket: WebSocket, reason: string): void {
    if (this.#socket !== socket) return;
    clearInterval(this.#keepAlive);
    if (this.#isMoving && !this.#isStopped && !this.#isDark) {
      this.#isMoving = false;
      this.open();
      return;
    }
    this.#redirects = 0;
    if (this.#failures > 0) this.#cell = undefined;
    this.#options.disconnected(reason);
    if (this.#isStopped || this.#isDark) return;
    this.#timer = setTimeout(() => this.open(), this.#options.retryMs(this.#failures++));
  }
}

function tryRead(data: Buffer): ReceivedRecord | undefined {
  try {
    return readRecord(data);
  } catch {
    return undefined;
  }
}
