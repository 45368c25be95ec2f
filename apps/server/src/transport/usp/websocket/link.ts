import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { guard } from '../../../kernel/guard.ts';
import type { Log } from '../../../platform/ports/log.ts';
import type { AgentLink, CloseCause, LinkEvents } from '../mtp.ts';
import type { FrameQueue } from './frame-queue.ts';

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

/** A WebSocket as a link (TR-369 "WebSocket Binding"). */
export class WebSocketLink implements AgentLink {
  readonly address: string;
  readonly #socket: WebSocket;
  readonly #tcp: Socket;
  readonly #log: Pick<Log, 'error'>;
  readonly #endedUnused: () => void;
  readonly #frames: FrameQueue;
  /** A frame came, or it was closed here. */
  #isUsed = false;
  #isCorked = false;

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

  /** Deliver the link's events to `session`. */
  listen(session: LinkEvents): void {
    const socket = this.#socket;
    // An error with one router's message closes that connection and no other.
    const guarded = <Handle extends (...args: never[]) => unknown>(handle: Handle) =>
      guard(this.#log, () => socket.terminate(), handle);
    const record = guarded((frame: Buffer) => session.record(frame));
    const receive = (data: RawData, isBinary: boolean): void => {
      this.#isUsed = true;
      if (isBinary && Buffer.isBuffer(data)) {
        this.#frames.add(record, data);
        if (session.isAwaited) this.#frames.drain();
      } else {
        socket.close(closeCodes['not-usp'], 'binary frames only');
        session.broken('text');
      }
    };
    /** What comes after frames that wait. */
    const after = <Args extends unknown[]>(handle: (...args: Args) => void) =>
      guarded((...args: Args) => {
        this.#frames.drain();
        handle(...args);
      });
    const alive = guarded(() => {
      this.#isUsed = true;
      session.alive();
    });
    socket.on('message', guarded(receive));
    socket.on('ping', alive);
    socket.on('pong', alive);
    // Too long, an invalid frame, or a failed write: ws closes by itself, with the right code.
    socket.on(
      'error',
      after((error: Error) => {
        this.#isUsed = true;
        session.broken(error.message);
      }),
    );
    socket.on(
      'close',
      after((code: number) => {
        session.closed(code !== NO_GOODBYE);
        if (!this.#isUsed) this.#endedUnused();
      }),
    );
  }
}

/** A close frame holds at most 123 bytes of reason (RFC 6455, 5.5); ws throws above that. */
function shorten(reason: string): string {
  return Buffer.byteLength(reason) <= 123 ? reason : shorten(reason.slice(0, -1));
}

/** A failed write shows as the end of the connection. */
function ignore(): void {}
