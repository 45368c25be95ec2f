import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

/** Ports of traceroute begin here; hardly any host has a service on them. */
const FIRST_PORT = 33_434;
const PORTS = 200;

/** One probe. */
export interface Probe {
  readonly address: string;
  /** Payload, bytes. */
  readonly size: number;
  readonly timeoutMs: number;
  /** Routers it may pass; undefined = the system's default. */
  readonly hops?: number;
  /** Number of this probe in its series. */
  readonly index: number;
  readonly signal: AbortSignal;
}

/**
 * Round trip of one UDP datagram, in microseconds: the host answers with an ICMP "port unreachable", or with a datagram. A process
 * without special rights may send it, in contrast to an ICMP echo. Undefined = no answer in time.
 * @throws Error when there is no route; the reason of the signal when it aborts
 */
export async function probe({ address, size, timeoutMs, hops, index, signal }: Probe): Promise<number | undefined> {
  signal.throwIfAborted();
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const answer = Promise.withResolvers<number | undefined>();
  let sentAt = 0n;
  const answered = () => answer.resolve(Number((process.hrtime.bigint() - sentAt) / 1_000n));
  const aborted = () => answer.reject(signal.reason as Error);
  const timer = setTimeout(() => answer.resolve(undefined), timeoutMs);
  signal.addEventListener('abort', aborted, { once: true });
  socket.on('message', answered);
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') answered();
    else answer.reject(error);
  });
  socket.connect(FIRST_PORT + (index % PORTS), address, () => {
    if (hops !== undefined) socket.setTTL(hops);
    sentAt = process.hrtime.bigint();
    socket.send(Buffer.alloc(size));
  });
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', aborted);
    socket.close();
  }
}
