import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isDatabaseOutage } from '../platform/adapters/postgres/connect.ts';
import type { Readiness } from './readiness.ts';
import { spoolFolderOf } from './installation.ts';
import { listAuthorities } from '../domains/inventory/index.ts';
import { createOrganizationFinder } from '../domains/organizations/index.ts';
import { serveBaseMap, type BaseMapOptions } from '../transport/http/base-map.ts';
import { serveConsole } from '../transport/http/console.ts';
import { readHostCookies } from '../transport/http/cookies.ts';
import { sendLoopbackOnly } from '../transport/http/loopback.ts';
import { sendNotFound } from '../transport/http/faults.ts';
import { serveDescription } from '../transport/http/openapi.ts';
import { RouteTable } from '../transport/http/register.ts';
import { createHttpServer } from '../transport/http/server.ts';
import { openListenerTls } from '../transport/http/tls.ts';
import { BlobsUnavailable } from '../platform/ports/blobs.ts';
import type { Database } from '../platform/ports/database.ts';
import { build } from '../platform/process/version.ts';
import type { AccountsService } from '../domains/accounts/index.ts';
import { createKeyLimiter, type KeyReader } from '../domains/api-keys/index.ts';
import { createResponseSealing, createIdempotency } from '../platform/idempotency/index.ts';
import type { NodeChannel } from '../platform/node-rpc/index.ts';
import type { ComposeOptions } from './options.ts';

/** The port for calls: its server, TLS, and the table that domains register their calls in. */
export async function openCalls(
  options: ComposeOptions,
  database: Database,
  accounts: AccountsService,
  keys: KeyReader,
  noteTenant: (mainAccountId: string) => void,
  lastEventId: () => string | undefined,
) {
  const { settings, log, installation } = options;
  const { replica } = options.opened;
  const { tls: tlsFiles } = settings.http;
  const tls = tlsFiles === undefined ? undefined : await openListenerTls(tlsFiles, () => listAuthorities(database.read), log);
  const reloadTls = async () => tls?.reload(app.server as unknown as SecureServer);
  const secure = settings.http.publicUrl.startsWith('https:');
  const isBusy = (error: unknown) => isDatabaseOutage(error) || error instanceof BlobsUnavailable;
  const app = await createHttpServer({
    log,
    trustedProxies: settings.http.trustedProxies,
    tls: tls?.options,
    secure,
    isBusy,
    mapOrigins: settings.baseMap.origins,
  });
  const ownOrigin = settings.mode === 'demo' ? undefined : settings.http.publicUrl;
  if (secure) readHostCookies(app);
  if (settings.mode === 'demo') sendLoopbackOnly(app);
  const spoolFolder = spoolFolderOf(settings.dataDir);
  const table = new RouteTable(app, {
    sessions: options.parts?.sessions ?? accounts,
    keys,
    counter: createKeyLimiter({ database, clock: options.clock }),
    idempotency: createIdempotency({ database, sealing: createResponseSealing(installation.masterKeys), log }),
    organizations: createOrganizationFinder(database),
    ownOrigin,
    checkResponses: options.checkResponses ?? false,
    spoolFolder,
    noteTenant,
    lastEventId,
    slow: options.slow,
    replica: replica && { reads: replica, secure },
  });
  return { app, table, tls, secure, isBusy, ownOrigin, spoolFolder, reloadTls, accounts };
}

/** Health, the description of the calls, and the console. */
export async function servePages(
  options: ComposeOptions,
  { app, accounts, links, ownOrigin, secure }: Calls & Pick<BaseMapOptions, 'links'>,
  readiness: Readiness,
  channel: Pick<NodeChannel, 'isConnected'>,
  consoleFolder: string,
): Promise<void> {
  registerHealth(app, readiness, channel, options.settings.nodeName);
  serveDescription(app);
  if (options.withoutConsole === true) app.setNotFoundHandler(sendNotFound);
  else {
    serveBaseMap(app, { baseMap: options.settings.baseMap, sessions: accounts, links });
    await serveConsole(app, { folder: consoleFolder, sessions: accounts, ownOrigin, secure });
  }
}

type Calls = Awaited<ReturnType<typeof openCalls>>;

/** Address for routers; a port chosen by the system is known only once the server listens. */
export function ownAddress(publicUrl: string, address: AddressInfo | null): string {
  return new URL(publicUrl).port === '0' && address !== null ? `http://127.0.0.1:${address.port}` : publicUrl;
}

/** Accept no new calls and finish the running ones; cut off those that exceed the time limit. */
export async function closeCalls(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await app.close();
  clearTimeout(cut);
}

/** /livez: the process runs. /healthz: it can do its work now. */
function registerHealth(
  app: FastifyInstance,
  readiness: Readiness,
  channel: Pick<NodeChannel, 'isConnected'>,
  nodeName: string,
): void {
  const about = { node: nodeName, version: build };
  app.get('/livez', async () => ({ result: 'alive' }));
  app.get('/healthz', async (_request, reply) => {
    const reason = await readiness.check();
    if (reason !== undefined) return reply.code(503).send({ result: 'not ready', reason, ...about });
    // It works without the others, only slower.
    return { result: 'ready', ...(channel.isConnected ? {} : { degraded: 'bus' }), ...about };
  });
}
