import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP connection between two programs that a test can cut, as a switch that fails does. */
export interface Link {
  readonly port: number;
  /** From now on nothing passes in either direction, and no end learns of a close; new connections are accepted by the system alone. */
  cut(): void;
  /** What waited passes on. */
  mend(): void;
  close(): void;
}

/** Forward connections from a free port of loopback to another port. */
export async function createLink(target: () => number): Promise<Link> {
  let isCut = false;
  const pairs = new Set<Pair>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const pair = new Pair(client, target, () => pairs.delete(pair));
    pairs.add(pair);
    if (!isCut) pair.flow();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const pair of pairs) pair.stop();
    },
    mend() {
      isCut = false;
      for (const pair of pairs) pair.flow();
    },
    close() {
      server.close();
      for (const pair of pairs) pair.destroy();
    },
  };
}

class Pair {
  readonly #client: Socket;
  readonly #target: () => number;
  readonly #onClose: () => void;
  #upstream: Socket | undefined;
  #isFlowing = false;
  #hasClosed = false;

  constructor(client: Socket, target: () => number, onClose: () => void) {
    this.#client = client;
    this.#target = target;
    this.#onClose = onClose;
    this.#watch(client);
  }

  flow(): void {
    this.#isFlowing = true;
    if (this.#hasClosed) return this.destroy();
    if (this.#upstream === undefined) {
      this.#upstream = connect({ port: this.#target(), host: '127.0.0.1', allowHalfOpen: true });
      this.#watch(this.#upstream);
    }
    this.#client.pipe(this.#upstream).pipe(this.#client);
  }

  stop(): void {
    this.#isFlowing = false;
    for (const socket of [this.#client, this.#upstream]) {
      socket?.unpipe();
      socket?.pause();
    }
  }

  destroy(): void {
    this.#onClose();
    this.#client.destroy();
    this.#upstream?.destroy();
  }

  #watch(socket: Socket): void {
    // The other end learns of it once the link is mended.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#hasClosed = true;
      if (this.#isFlowing) this.destroy();
    });
  }
}
