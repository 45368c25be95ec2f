import type { Duplex, Writable } from 'node:stream';
import type ssh from 'ssh2';
import type { Traffic } from '../../platform/ports/tunnels.ts';
import { holdWrites } from './hold-writes.ts';

/** Concurrent connections through one tunnel; a browser opens six per host. */
export const MOST_CHANNELS = 16;

/** Why no connection was made through a tunnel. */
export class NoChannel extends Error {
  override readonly name = 'NoChannel';
  readonly why: 'full' | 'rejected';

  constructor(why: NoChannel['why']) {
    super(why === 'full' ? 'The tunnel has too many open connections.' : 'The router rejected the connection.');
    this.why = why;
  }
}

/** The forward that the router requested, and the name it knows it by. */
export interface Bound {
  readonly address: string;
  readonly port: number;
}

/** The connections through one tunnel, counted and monitored. */
export class Channels {
  readonly #client: ssh.Connection;
  readonly #bound: Bound;
  readonly #below: Writable;
  #count = 0;
  #sent = 0;
  #received = 0;
  #movedAt = performance.now();

  /** @param below what the connections are sent through */
  constructor(client: ssh.Connection, bound: Bound, below: Writable) {
    this.#client = client;
    this.#bound = bound;
    this.#below = below;
    below.setMaxListeners(below.getMaxListeners() + MOST_CHANNELS);
  }

  get count(): number {
    return this.#count;
  }

  /** Milliseconds since the last traffic. */
  get quietMs(): number {
    return performance.now() - this.#movedAt;
  }

  get traffic(): Traffic {
    return { sent: this.#sent, received: this.#received };
  }

  /** Connect to the service at the router. @throws NoChannel */
  async open(): Promise<Duplex> {
    if (this.#count >= MOST_CHANNELS) throw new NoChannel('full');
    this.#count++;
    this.#movedAt = performance.now();
    const channel = await this.#ask().catch((error: unknown) => {
      this.#count--;
      throw error;
    });
    holdWrites(channel, this.#below);
    watch(channel, {
      sent: (bytes) => {
        this.#sent += bytes;
        this.#movedAt = performance.now();
      },
      received: (bytes) => {
        this.#received += bytes;
        this.#movedAt = performance.now();
      },
    });
    channel.once('close', () => void this.#count--);
    return channel;
  }

  #ask(): Promise<ssh.ServerChannel> {
    return new Promise((resolve, reject) => {
      const { address, port } = this.#bound;
      try {
        // Hide the user's address from the router: it sees only us.
        this.#client.forwardOut(address, port, '127.0.0.1', 0, (error, channel) => {
          if (error === undefined) resolve(channel);
          else reject(new NoChannel('rejected'));
        });
      } catch {
        reject(new NoChannel('rejected'));
      }
    });
  }
}

/** Observe both directions without reading: a data listener would make the stream flow before its reader is attached. */
function watch(
  channel: Duplex,
  { sent, received }: { readonly sent: (bytes: number) => void; readonly received: (bytes: number) => void },
): void {
  const push = channel.push.bind(channel);
  channel.push = (...given) => {
    received(sizeOf(given[0]));
    return push(...given);
  };
  const write = channel.write.bind(channel) as (...given: unknown[]) => boolean;
  channel.write = (...given: unknown[]) => {
    sent(sizeOf(given[0]));
    return write(...given);
  };
}

function sizeOf(chunk: unknown): number {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.byteLength(chunk) : 0;
}
