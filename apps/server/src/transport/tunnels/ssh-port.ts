import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DomainError, guard, plainAddress } from '../../kernel/index.ts';
import type { Log } from '../../platform/ports/log.ts';
import type { TunnelClient } from '../../platform/ports/tunnels.ts';
import type { Channels } from './channels.ts';

/** Port range, both ends included; undefined = any free port. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** A TCP port that forwards to a router's SSH server. */
export interface SshPort {
  readonly port: number;
  /** Accept no new connections; existing ones stay. */
  shut(): void;
  close(): void;
}

/**
 * Listen for one session.
 * @param host the address to listen on
 * @param client whose connections are accepted, for a client of the vehicle's network
 * @throws DomainError `remote.busy` when every port of the range is in use
 */
export async function openSshPort(
  channels: Channels,
  host: string,
  range: PortRange | undefined,
  log: Pick<Log, 'error'>,
  client?: Pick<TunnelClient, 'from'>,
): Promise<SshPort> {
  const sockets = new Set<Socket>();
  // Half-open like TCP: a client that has ended its sending still receives the rest.
  const take = (socket: Socket): Promise<void> | undefined => {
    // A client of a vehicle may ask for no password.
    if (client !== undefined && plainAddress(socket.remoteAddress ?? '') !== client.from) {
      socket.destroy();
      return undefined;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return carry(socket, channels);
  };
  const server = createServer(
    { allowHalfOpen: true, noDelay: true, pauseOnConnect: true },
    guard(log, (socket) => socket.destroy(), take),
  );
  const port = await listenSomewhere(server, host, range);
  // A port that temporarily cannot accept must not end the process.
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
    // SSH cannot send a message before its greeting: just close the connection.
    socket.destroy();
  }
}

/** Connect both directions; the end of one ends the other. */
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
  // Start at a random port, so that the previous port is not reassigned at once.
  const start = Math.floor(Math.random() * ports.length);
  for (const port of [...ports.slice(start), ...ports.slice(0, start)]) {
    try {
      // The next one only when this one is taken.
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
