import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../ports/log.ts';
import { explainListenFault } from '../settings/listen-fault.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsListener {
  /** The port in use. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serve `GET /metrics` at a separate address, apart from users and routers: it does not authenticate.
 * @throws StartupError naming the setting when the port is in use or not permitted
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
  log: Pick<Log, 'error'>,
): Promise<MetricsListener> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = await metrics.text();
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  };
  const server = createServer(guard(log, (_request, response) => response.writeHead(500).end(), respond));
  await new Promise<void>((resolve, reject) => {
    const settings = { host: 'METRICS_LISTEN', port: 'METRICS_LISTEN' };
    server.once('error', (error) => reject(explainListenFault(error, { host, port }, settings)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
