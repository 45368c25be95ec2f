import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../log.ts';
import type { RouterView } from '../model/definition.ts';
import { mappingsOf, type Mapping } from '../model/objects/forwarding.ts';
import { joinStreams } from '../platform/join-streams.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';

export type PortForwardsOptions = {
  router: Pick<RouterView, 'row' | 'rowPaths' | 'platform'>;
  /** Address of this machine on which forwarded ports listen; undefined: none does, as for a simulated router without one. */
  address: string | undefined;
  scheduler: Scheduler;
  log: Log;
};

/** Connections at a time for one port. */
const MAX_CONNECTIONS = 64;
/** Pauses after which a port is tried again that could not listen, e.g. because another program has it: doubled each time. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

type Forward = { server: Server; mapping: Mapping; sockets: Set<Socket>; cancelRetry: Cancel | undefined };

/** Listens on the ports that are forwarded to devices of the vehicle's network: TCP, on an address of this machine. */
export class PortForwards {
  readonly #options: PortForwardsOptions;
  readonly #servers = new Map<number, Forward>();
  readonly #power = new AbortController();

  constructor(options: PortForwardsOptions) {
    this.#options = options;
  }

  /** Whether a port listens; where there is no address to listen on, none has a fault. */
  listens(port: number, protocol: Mapping['protocol']): boolean {
    if (this.#options.address === undefined) return true;
    return protocol === 'TCP' && this.#servers.get(port)?.server.listening === true;
  }

  /** Settings may have changed: listen on what is forwarded now, and on nothing else. */
  follow(): void {
    if (this.#options.address === undefined || this.#power.signal.aborted) return;
    const mappings = new Map(
      mappingsOf(this.#options.router)
        .filter(({ protocol }) => protocol === 'TCP')
        .map((each) => [each.externalPort, each]),
    );
    for (const [port, { mapping }] of this.#servers) if (!isSame(mappings.get(port), mapping)) this.#close(port);
    for (const [port, mapping] of mappings) if (!this.#servers.has(port)) this.#open(port, mapping);
  }

  stop(): void {
    this.#power.abort();
    for (const port of this.#servers.keys()) this.#close(port);
  }

  #open(port: number, mapping: Mapping): void {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      void this.#connect(socket, mapping);
    });
    server.maxConnections = MAX_CONNECTIONS;
    const forward: Forward = { server, mapping, sockets, cancelRetry: undefined };
    this.#servers.set(port, forward);
    const listen = () => server.listen(port, this.#options.address);
    let pauseMs = FIRST_PAUSE_MS;
    server.on('error', (error) => {
      this.#options.log('warn', 'forwarding.not-listening', { port, reason: String(error) });
      // Without a socket for one more connection it still listens; closed meanwhile, it is not to listen.
      if (server.listening || this.#servers.get(port) !== forward) return;
      forward.cancelRetry = this.#options.scheduler.after(pauseMs, listen);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    });
    listen();
  }

  async #connect(socket: Socket, { client, clientPort }: Mapping): Promise<void> {
    const { networks } = this.#options.router.platform;
    try {
      if (networks === undefined) throw new Error('there is no network');
      const far = await networks.dial(client, clientPort, this.#power.signal);
      if (socket.destroyed) return void far.destroy();
      joinStreams(socket, far);
    } catch {
      socket.destroy();
    }
  }

  #close(port: number): void {
    const entry = this.#servers.get(port);
    this.#servers.delete(port);
    entry?.cancelRetry?.();
    entry?.server.close();
    for (const socket of entry?.sockets ?? []) socket.destroy();
  }
}

function isSame(one: Mapping | undefined, other: Mapping): boolean {
  return one?.client === other.client && one.clientPort === other.clientPort;
}
