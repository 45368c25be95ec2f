import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { guard } from '../../../kernel/guard.ts';
import type { Log } from '../../../platform/ports/log.ts';
import type { AgentLink, CloseCause, LinkEvents } from '../mtp.ts';
import type { FrameQueue, FrameSource } from './frame-queue.ts';

/** Close codes (RFC 6455, 7.4.1; TR-369 R-WS.16 for data that is not a record). */
const closeCodes: Record<CloseCause, number> = {
  'not-usp': 1003,
  rejected: 1008,
  replaced: 1008,
  flooding: 1008,
  restarting: 1012,
  done: 1000,
};
/** Reported by ws when the peer sent no close frame. */
const NO_GOODBYE = 1006;

type SocketEvent =
  | { readonly type: 'message'; readonly data: RawData; readonly isBinary: boolean }
  /** One that has waited for others. */
  | { readonly type: 'frame'; readonly frame: Buffer }
  | { readonly type: 'alive' }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'close'; readonly code: number };
const ALIVE: SocketEvent = { type: 'alive' };

/** A WebSocket as a link (TR-369 "WebSocket Binding"). */
export class WebSocketLink implements AgentLink, FrameSource {
  readonly address: string;
  readonly #socket: WebSocket;
  readonly #tcp: Socket;
  readonly #log: Pick<Log, 'error'>;
  readonly #endedUnused: () => void;
  readonly #frames: FrameQueue;
  /** A frame came, or it was closed here. */
  #isUsed = false;
  #isCorked = false;
  #deliver: (event: SocketEvent) => void = ignore;

  /** @param endedUnused the other side ended the connection and had sent no frame */
  constructor(
    socket: WebSocket,
    tcp: Socket,
    address: string,
    log: Pick<Log, 'error'>,
    frames: FrameQueue,
    endedUnused: () => void,
  ) {
    this.#frames = frames;
    this.#log = log;
    this.#endedUnused = endedUnused;
    this.#socket = socket;
    this.#tcp = tcp;
    this.address = address;
  }

  get bytesRead(): number {
    return this.#tcp.bytesRead;
  }

  get bytesUnsent(): number {
    return this.#socket.bufferedAmount;
  }

  send(record: Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#cork();
    this.#socket.send(record, { binary: true }, ignore);
  }

  /** What is sent until the event loop goes on leaves in one write: a commit answers many notifications of one router at once. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#tcp.cork();
    const uncork = () => {
      this.#isCorked = false;
      this.#tcp.uncork();
    };
    process.nextTick(guard(this.#log, () => this.#socket.terminate(), uncork));
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping(undefined, false, ignore);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(cause: CloseCause, reason: string): void {
    this.#isUsed = true;
    this.#socket.close(closeCodes[cause], shorten(reason));
  }

  terminate(): void {
    this.#isUsed = true;
    this.#socket.terminate();
  }

  /** Deliver the link's events to `session`. An error with one router's message closes that connection and no other. */
  listen(session: LinkEvents): void {
    const socket = this.#socket;
    // One guard for all events: each function here is kept for each router.
    const handle = guard(
      this.#log,
      () => socket.terminate(),
      (event: SocketEvent) => this.#take(session, event),
    );
    this.#deliver = handle;
    const alive = () => handle(ALIVE);
    socket.on('message', (data, isBinary) => handle({ type: 'message', data, isBinary }));
    socket.on('ping', alive);
    socket.on('pong', alive);
    // Too long, an invalid frame, or a failed write: ws closes by itself, with the right code.
    socket.on('error', ({ message }) => handle({ type: 'error', message }));
    socket.on('close', (code) => handle({ type: 'close', code }));
  }

  processFrame(frame: Buffer): void {
    this.#deliver({ type: 'frame', frame });
  }

  #take(session: LinkEvents, event: SocketEvent): void {
    switch (event.type) {
      case 'message':
        this.#isUsed = true;
        this.#receive(session, event.data, event.isBinary);
        break;
      case 'frame':
        session.record(event.frame);
        break;
      case 'alive':
        this.#isUsed = true;
        session.alive();
        break;
      case 'error':
        this.#isUsed = true;
        this.#frames.drain();
        session.broken(event.message);
        break;
      case 'close':
        this.#frames.drain();
        session.closed(event.code !== NO_GOODBYE);
        if (!this.#isUsed) this.#endedUnused();
        break;
    }
  }

  #receive(session: LinkEvents, data: RawData, isBinary: boolean): void {
    if (isBinary && Buffer.isBuffer(data)) {
      this.#frames.add(this, data);
      if (session.isAwaited) this.#frames.drain();
    } else {
      this.#socket.close(closeCodes['not-usp'], 'binary frames only');
      session.broken('text');
    }
  }
}

/** A close frame holds at most 123 bytes of reason (RFC 6455, 5.5); ws throws above that. */
function shorten(reason: string): string {
  return Buffer.byteLength(reason) <= 123 ? reason : shorten(reason.slice(0, -1));
}

/** A failed write shows as the end of the connection. */
function ignore(): void {}
