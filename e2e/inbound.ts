import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Connections that this process accepted; the routers of a test are part of it. */
export interface Inbound {
  /** How many it accepted. */
  readonly count: number;
  /** Ports of connections from another process: a router behind NAT has none. */
  fromOutside(): readonly number[];
  stop(): void;
}

/** Record the connections to all listeners of this process. */
export function watchInbound(): Inbound {
  const own = new Set<number | undefined>();
  const accepted: number[] = [];
  const onClient = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => own.add(socket.localPort));
  };
  const onServer = (message: unknown) => accepted.push((message as { socket: Socket }).socket.remotePort ?? 0);
  subscribe('net.client.socket', onClient);
  subscribe('net.server.socket', onServer);
  return {
    get count() {
      return accepted.length;
    },
    fromOutside: () => accepted.filter((port) => !own.has(port)),
    stop() {
      unsubscribe('net.client.socket', onClient);
      unsubscribe('net.server.socket', onServer);
    },
  };
}
