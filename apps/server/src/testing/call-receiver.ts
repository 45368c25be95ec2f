import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from './certificates.ts';

/** A request as a receiver got it. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The same, as it came. */
  readonly bytes: Buffer;
  readonly at: number;
}

export type Responding = (response: ServerResponse, call: ReceivedCall) => unknown;

/** A receiver of calls: a real HTTP or HTTPS server that answers as a test tells it. */
export interface CallReceiver {
  readonly url: string;
  readonly port: number;
  readonly calls: readonly ReceivedCall[];
  /** Connections that are open now. */
  connections(): number;
  /** Answer so from now on; default 204. */
  respond(how: Responding): void;
  close(): Promise<void>;
}

const accept: Responding = (response) => response.writeHead(204).end();

/** Start a receiver on loopback. @param options a certificate makes it HTTPS; a name stands in its address; a port is used again */
export async function startCallReceiver({
  tls,
  host = '127.0.0.1',
  port = 0,
}: { readonly tls?: TestCertificate; readonly host?: string; readonly port?: number } = {}): Promise<CallReceiver> {
  const calls: ReceivedCall[] = [];
  let how = accept;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now();
    const bytes = Buffer.concat(await request.toArray());
    const body = bytes.toString('utf8');
    const call = { path: request.url ?? '', headers: request.headers as Record<string, string>, body, bytes, at };
    calls.push(call);
    how(response, call);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    receive(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const sockets = new Set<object>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${listening}/hooks`,
    port: listening,
    calls,
    connections: () => sockets.size,
    respond: (next) => {
      how = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
