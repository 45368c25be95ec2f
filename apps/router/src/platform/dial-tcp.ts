import { createConnection } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';

/** A TCP connection. @throws Error when there is no port, it does not accept, or the signal aborts */
export async function dialTcp(host: string, port: number | undefined, signal: AbortSignal): Promise<Duplex> {
  if (port === undefined) throw new Error('nothing listens');
  const socket = createConnection({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
