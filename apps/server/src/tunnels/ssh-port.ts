import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DomainError } from '../failure.ts';
import { guard } from '../guard.ts';
import type { Log } from '../ports/log.ts';
import type { Channels } from './channels.ts';

/** Ports that may be listened on, both ends included; undefined = any free one. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** A TCP port behind which a router's SSH server stands. */
export interface SshPort {
  readonly port: number;
  /** Take no new connections; those that are there stay. */
  shut(): void;
  close(): void;
}

/**
 * Listen for one session.
 * @param host the address to listen on
 * @throws DomainError `remote.busy` when every port of the range is taken
 */
export async function openSshPort(
  channels: Channels,
  host: string,
  range: PortRange | undefined,
  log: Pick<Log, 'error'>,
): Promise<SshPort> {
  const sockets = new Set<Socket>();
  // Half-open as TCP is: a client that has sent all it had still hears the rest.
  const take = (socket: Socket): Promise<void> => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return carry(socket, channels);
  };
  const server = createServer(
    { allowHalfOpen: true, noDelay: true, pauseOnConnect: true },
    guard(log, (socket) => socket.destroy(), take),
  );
  const port = await listenSomewhere(server, host, range);
  // A port that cannot accept for a moment is no reason to end the process.
  server.on('error', () => {});
  return {
    port,
    shut: () => void server.close(),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function carry(socket: Socket, channels: Channels): Promise<void> {
  socket.on('error', () => socket.destroy());
  try {
    join(socket, await channels.open());
  } catch {
    // SSH has no words before its greeting: whoever connects sees the connection closed.
    socket.destroy();
  }
}

/** Both ways, and the end of one is the end of the other. */
export function join(socket: Socket, channel: Duplex): void {
  if (socket.destroyed) {
    channel.destroy();
    return;
  }
  channel.on('error', () => socket.destroy());
  channel.once('close', () => socket.destroySoon());
  socket.once('close', () => channel.destroy());
  socket.pipe(channel);
  channel.pipe(socket);
}

async function listenSomewhere(server: Server, host: string, range: PortRange | undefined): Promise<number> {
  if (range === undefined) return listen(server, host, 0);
  const ports = Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index);
  // Begun anywhere, so that the port before is not given to somebody else at once.
  const start = Math.floor(Math.random() * ports.length);
  for (const port of [...ports.slice(start), ...ports.slice(0, start)]) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next one only when this one is taken
      return await listen(server, host, port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new DomainError('remote.busy');
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
