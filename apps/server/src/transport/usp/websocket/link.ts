import type { Socket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { doNothing, guard } from '../../../kernel/guard.ts';
import { workForRouters } from '../../../platform/calls/index.ts';
import type { Log } from '../../../platform/ports/log.ts';
import type { AgentLink, CloseCause, LinkEvents } from '../mtp.ts';
import { FrameQueue, type FrameSource } from './frame-queue.ts';

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
  /** A pong with the number of its ping. */
  | { readonly type: 'echo'; readonly number: number }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'close'; readonly code: number };
const ALIVE: SocketEvent = { type: 'alive' };

/** What all links of a gateway share: each object of a link is there for each router. */
export class Links {
  readonly log: Pick<Log, 'error'>;
  readonly frames: FrameQueue;
  /** Those whose sockets are open. */
  readonly open = new Set<WebSocketLink>();
  /** An error with one router's message closes that connection and no other. */
  readonly handle: (link: WebSocketLink, event: SocketEvent) => void;

  constructor(log: Pick<Log, 'error'>) {
    this.log = log;
    this.frames = new FrameQueue(log);
    this.handle = guard(
      log,
      (link) => link.terminate(),
      (link: WebSocketLink, event: SocketEvent) => workForRouters(() => link.take(event)),
    );
  }
}

/** A socket that knows its link, so that its listeners are the same functions for all. */
export class RouterSocket extends WebSocket {
  link: WebSocketLink | undefined;
}

/** A WebSocket as a link (TR-369 "WebSocket Binding"). */
export class WebSocketLink implements AgentLink, FrameSource {
  readonly address: string;
  readonly links: Links;
  readonly #socket: RouterSocket;
  readonly #tcp: Socket;
  readonly #endedUnused: () => void;
  /** A frame came, or it was closed here. */
  #isUsed = false;
  #isCorked = false;
  #session: LinkEvents | undefined;

  /** @param endedUnused the other side ended the connection and had sent no frame */
  constructor(socket: RouterSocket, tcp: Socket, address: string, links: Links, endedUnused: () => void) {
    this.links = links;
    this.#endedUnused = endedUnused;
    this.#socket = socket;
    this.#tcp = tcp;
    this.address = address;
    links.open.add(this);
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
    this.#socket.send(record, { binary: true }, doNothing);
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
    process.nextTick(guard(this.links.log, () => this.#socket.terminate(), uncork));
  }

  ping(number?: number): void {
    const data = number === undefined ? undefined : Buffer.of(number);
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping(data, false, doNothing);
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
    this.#session = session;
    this.#socket.link = this;
    this.#socket.on('message', onMessage).on('ping', onPing).on('pong', onPong).on('error', onError).on('close', onClose);
  }

  processFrame(frame: Buffer): void {
    this.links.handle(this, { type: 'frame', frame });
  }

  /** An event of its socket. */
  take(event: SocketEvent): void {
    const session = this.#session!;
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
      case 'echo':
        this.#isUsed = true;
        session.alive();
        this.links.frames.finish(this);
        session.echoed(event.number);
        break;
      case 'error':
        this.#isUsed = true;
        this.links.frames.finish(this);
        session.broken(event.message);
        break;
      case 'close':
        this.links.open.delete(this);
        this.links.frames.finish(this);
        session.closed(event.code !== NO_GOODBYE);
        if (!this.#isUsed) this.#endedUnused();
        break;
    }
  }

  #receive(session: LinkEvents, data: RawData, isBinary: boolean): void {
    if (isBinary && Buffer.isBuffer(data)) {
      this.links.frames.add(this, data, session.isAwaited);
    } else {
      this.#socket.close(closeCodes['not-usp'], 'binary frames only');
      session.broken('text');
    }
  }
}

function deliver(link: WebSocketLink | undefined, event: SocketEvent): void {
  try {
    link?.links.handle(link, event);
  } catch {
    // What `handle` takes is guarded: it logs and ends the connection.
    link?.terminate();
  }
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  deliver((this as RouterSocket).link, { type: 'message', data, isBinary });
}

function onPing(this: WebSocket): void {
  deliver((this as RouterSocket).link, ALIVE);
}

function onPong(this: WebSocket, data: Buffer): void {
  deliver((this as RouterSocket).link, data.length === 1 ? { type: 'echo', number: data[0]! } : ALIVE);
}

/** Too long, an invalid frame, or a failed write: ws closes by itself, with the right code. */
function onError(this: WebSocket, { message }: Error): void {
  deliver((this as RouterSocket).link, { type: 'error', message });
}

function onClose(this: WebSocket, code: number): void {
  deliver((this as RouterSocket).link, { type: 'close', code });
}

/** A close frame holds at most 123 bytes of reason (RFC 6455, 5.5); ws throws above that. */
function shorten(reason: string): string {
  return Buffer.byteLength(reason) <= 123 ? reason : shorten(reason.slice(0, -1));
}
