import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createCellKeys, createDirectory } from '../domains/cells/index.ts';
import { createDatabase } from '../platform/adapters/database.ts';
import { isDatabaseOutage, type OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import { startJobs, type RunningJobs } from '../platform/jobs/runner.ts';
import { systemClock } from '../platform/ports/clock.ts';
import type { CellSettings } from '../platform/settings/settings-parts.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { redirectRouters, registerCellMessages, registerSignInPage } from '../transport/directory/index.ts';
import { createAddressReader } from '../transport/http/address.ts';
import { sendNotFound } from '../transport/http/faults.ts';
import { listenAt } from '../transport/http/listen.ts';
import { createHttpServer } from '../transport/http/server.ts';
import { openListenerTls } from '../transport/http/tls.ts';
import { closeCalls } from './calls.ts';

/** Time limit for running calls at a stop. */
const TIMEOUT_MS = 10_000;

export interface DirectoryOptions {
  readonly settings: Pick<Settings, 'http'> & { readonly cells: Extract<CellSettings, { kind: 'directory' }> };
  /** It stays open after `close`. */
  readonly opened: Pick<OpenedDatabase, 'pool' | 'ready'>;
  readonly log: Logger;
}

export interface DirectoryServer {
  listen(): Promise<void>;
  /** The port in use, once it listens. */
  readonly port: number;
  /** Reload the TLS files; connections stay, and invalid files change nothing. */
  reloadTls(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Compose the directory of an installation of several cells: it leads people and routers to their cells, and knows nothing else. Several
 * may run at one database.
 */
export async function composeDirectory({ settings, opened, log }: DirectoryOptions): Promise<DirectoryServer> {
  const { http, cells } = settings;
  const database = createDatabase(opened.pool, () => {});
  const tls = http.tls === undefined ? undefined : await openListenerTls(http.tls, async () => [], log);
  const app = await createHttpServer({
    log,
    trustedProxies: http.trustedProxies,
    tls: tls?.options,
    secure: http.publicUrl.startsWith('https:'),
    isBusy: isDatabaseOutage,
  });
  const directory = createDirectory({ database, keys: createCellKeys(cells.key), cells: cells.cells });
  registerCellMessages(app, directory);
  registerSignInPage(app, { directory, cells: [...cells.cells.values()] });
  redirectRouters(app.server, { directory, log, addressOf: createAddressReader(http.trustedProxies) });
  app.get('/livez', async () => ({ result: 'alive' }));
  app.get('/healthz', async (_request, reply) => {
    return (await opened.ready()) ? { result: 'ready' } : reply.code(503).send({ result: 'not ready', reason: 'database' });
  });
  app.setNotFoundHandler(sendNotFound);
  let jobs: RunningJobs | undefined;
  return {
    async listen() {
      await listenAt(app, http);
      jobs = startJobs(tls?.jobs(app.server as unknown as SecureServer) ?? [], systemClock, log);
    },
    get port() {
      return (app.server.address() as AddressInfo).port;
    },
    reloadTls: async () => tls?.reload(app.server as unknown as SecureServer),
    async close() {
      await jobs?.stop();
      await closeCalls(app, TIMEOUT_MS);
    },
  };
}
