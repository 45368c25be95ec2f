import type { X509Certificate } from 'node:crypto';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createDatabase } from '../platform/adapters/database.ts';
import { createFolderTransport } from '../platform/adapters/mail/folder.ts';
import { createSmtpTransport } from '../platform/adapters/mail/smtp.ts';
import { isConnectionFault } from '../platform/adapters/postgres/connect.ts';
import { jobsOf } from './jobs.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { figuresOf } from './figures.ts';
import { spoolFolderOf, type Installation } from './installation.ts';
import { openModules } from './modules.ts';
import { registerDemoOutbox } from '../demo/outbox.ts';
import { createAccountsService, createSecondFactorSealing } from '../domains/accounts/index.ts';
import type { EsimTimeouts } from '../domains/esims/index.ts';
import { reportMissingFirmware } from '../domains/firmware/index.ts';
import {
  createRejections,
  createRouterCredentials,
  endpointIdsOf,
  fingerprintOf,
  listAuthorities,
} from '../domains/inventory/index.ts';
import { countDueMails, createMailSealing, sealEarlierMails } from '../domains/mails/index.ts';
import { createRouterAlarms } from '../domains/notifications/index.ts';
import { createOrganizationFinder } from '../domains/organizations/index.ts';
import { createPresence, createTelemetry, ingest, type PresenceService } from '../domains/router-state/index.ts';
import type { RemoteAccessTimeouts } from '../domains/remote-access/index.ts';
import type { RolloutTimeouts, RolloutEngine } from '../domains/rollouts/index.ts';
import type { RemoteCallTimeouts } from '../platform/node-rpc/index.ts';
import { attachGateway, createCertificateReader, type Gateway, type GatewaySettings } from '../transport/usp/index.ts';
import { createAddressReader } from '../transport/http/address.ts';
import type { AnyOperation } from '../platform/calls/call.ts';
import { isBuilt, serveConsole } from '../transport/http/console.ts';
import { readHostCookies } from '../transport/http/cookies.ts';
import { answerLoopbackOnly } from '../demo/loopback.ts';
import { answerNotFound } from '../transport/http/faults.ts';
import { describeApi, serveDescription } from '../transport/http/openapi.ts';
import { RouteTable } from '../transport/http/register.ts';
import { createHttpServer } from '../transport/http/server.ts';
import { openListenerTls } from '../transport/http/tls.ts';
import { sweepAtStart } from '../transport/http/upload.ts';
import { createNode, nodeName, type LeaseTimeouts } from '../platform/nodes/index.ts';
import { startJobs, type Job } from '../platform/jobs/runner.ts';
import { listenAt } from '../transport/http/listen.ts';
import { startDispatcher } from '../platform/outbox/index.ts';
import { createLiveStreams, type LiveStreams } from '../transport/events/index.ts';
import { createMetrics, createSampled, listenForMetrics, type MetricsListener } from '../platform/metrics/index.ts';
import type { Clock } from '../platform/ports/clock.ts';
import { BlobsUnavailable } from '../platform/ports/blobs.ts';
import type { Database } from '../platform/ports/database.ts';
import type { MailTransport } from '../platform/ports/mail.ts';
import { StartupError, type Settings } from '../platform/settings/settings.ts';
import { attachTunnels } from '../transport/tunnels/index.ts';
import { version } from '../platform/process/version.ts';

const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

export interface ComposeOptions {
  readonly settings: Settings;
  /** Keys and files that this process shares with others; stays open after `close`. */
  readonly installation: Installation;
  readonly pool: Pool;
  readonly ready: () => Promise<boolean>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Check every answer against its schema: in tests and in the demo, where a mismatch is a bug. */
  readonly checkAnswers?: boolean;
  /** Other gateway timings, for tests. */
  readonly gateway?: Partial<Omit<GatewaySettings, 'controllerId'>>;
  /** Other timeouts of rollouts, for tests. */
  readonly rollouts?: Partial<RolloutTimeouts>;
  readonly esims?: Partial<EsimTimeouts>;
  /** Other timeouts of remote sessions, for tests. */
  readonly remote?: Partial<RemoteAccessTimeouts>;
  /** Other timeouts of calls to other processes, for tests. */
  readonly commands?: Partial<RemoteCallTimeouts>;
  /** Other timings of the lease of this node, for tests. */
  readonly lease?: Partial<LeaseTimeouts>;
  /** Time limit for running calls at a stop, milliseconds. */
  readonly timeoutMs?: number;
  /** Free disk of the data folder below which the server is not ready; default 64 MiB. */
  readonly leastFreeBytes?: number;
  /** Serve only calls, without the built console. */
  readonly withoutConsole?: boolean;
  /** Folder of the console, instead of the build output. */
  readonly consoleFolder?: string;
}

export interface HighlineServer {
  readonly database: Database;
  readonly operations: readonly AnyOperation[];
  /** The endpoint for routers. */
  readonly gateway: Gateway;
  /** Which routers are connected. */
  readonly presence: PresenceService;
  readonly rollouts: RolloutEngine;
  /** Start listening. */
  listen(): Promise<void>;
  /** Mint the link that sets up an installation without an account; undefined once it has one. */
  mintSetUpLink(): Promise<string | undefined>;
  /** Reload the TLS files; connections stay, and invalid files change nothing. */
  reloadTls(): Promise<void>;
  /** The port in use, once it listens. */
  readonly port: number;
  /** The port of /metrics; undefined when it is disabled. */
  readonly metricsPort: number | undefined;
  /** Ask routers and consoles to reconnect with jitter, finish running calls and writes, and stop. */
  close(): Promise<void>;
}

/** Compose the application: the only module that knows both adapters and domains. */
export async function composeServer(options: ComposeOptions): Promise<HighlineServer> {
  const { settings, installation, pool, log, clock, consoleFolder = builtConsole } = options;
  if (options.withoutConsole !== true && !isBuilt(consoleFolder))
    throw new StartupError('The console is not built. Start with `npm start` or `npm run serve`, which build it.');

  // The callbacks name parts that are made below: no commit can happen before composition is complete.
  const database = createDatabase(
    pool,
    () => dispatcher.wake(),
    (error) => readiness.noteFailure(error),
  );
  const { ready, leastFreeBytes } = options;
  const readiness = createReadiness({
    database,
    ready,
    dataDir: settings.dataDir,
    ...(leastFreeBytes === undefined ? {} : { leastFreeBytes }),
  });
  const dispatcher = startDispatcher(database, log);
  const mailSealing = createMailSealing(settings.masterKey);
  const accounts = createAccountsService({
    database,
    clock,
    sealing: createSecondFactorSealing(settings.masterKey),
    mailSealing,
    endStreams: (which) => liveStreams.end(which),
  });
  const liveStreams: LiveStreams = createLiveStreams({
    database,
    clock,
    dispatcher,
    log,
    readSession: (sessionId) => accounts.readSession(Buffer.from(sessionId, 'hex'), ''),
  });

  const { tls: tlsFiles } = settings.http;
  const tls = tlsFiles === undefined ? undefined : await openListenerTls(tlsFiles, () => listAuthorities(database.read), log);
  const reloadTls = async () => tls?.reload(app.server as unknown as SecureServer);
  const secure = settings.http.publicUrl.startsWith('https:');
  const app = await createHttpServer({
    log,
    trustedProxies: settings.http.trustedProxies,
    tls: tls?.options,
    secure,
    isBusy: (error) => isConnectionFault(error) || error instanceof BlobsUnavailable,
  });
  const origins = new Set([settings.http.publicUrl]);
  if (secure) readHostCookies(app);
  if (settings.mode === 'demo') answerLoopbackOnly(app);
  const spoolFolder = spoolFolderOf(settings.dataDir);
  const table = new RouteTable(app, {
    sessions: accounts,
    organizations: createOrganizationFinder(database),
    origins,
    checkAnswers: options.checkAnswers ?? false,
    spoolFolder,
  });

  const origin = () => ownAddress(settings.http.publicUrl, app.server.address() as AddressInfo | null);
  const routers = openRouterEndpoints(app, options, database, origin, () => tls?.clientCas() ?? []);
  const { node, presence, telemetry, tunnels, gateway } = routers;
  const fixture = {
    settings,
    database,
    clock,
    log,
    node,
    nodeName: routers.nodeName,
    deviceLink: gateway.deviceLink,
    contacts: presence.contacts,
    blobs: installation.blobs,
    auditKey: installation.auditKey,
    checkpoints: installation.checkpoints,
    origin,
    clientTls: { isServed: tls !== undefined, trustsOthers: tlsFiles?.clientCaFile !== undefined },
    authorityAdded: () => void reloadTls(),
  };
  const { rollouts, esims, remoteAccess } = openModules({
    ...fixture,
    app,
    table,
    pool,
    dispatcher,
    tunnels,
    accounts,
    origins,
    secure,
    timeouts: {
      rollouts: options.rollouts ?? {},
      esims: options.esims ?? {},
      remote: options.remote ?? {},
      commands: options.commands ?? {},
    },
  });
  liveStreams.register(table);
  if (settings.mode === 'demo') registerDemoOutbox(app, database, mailSealing);
  registerHealth(app, readiness);
  serveDescription(app, () => describeApi(table.operations, version));
  if (options.withoutConsole === true) app.setNotFoundHandler(answerNotFound);
  else await serveConsole(app, { folder: consoleFolder, sessions: accounts, origins, secure });

  const mail = mailTransport(settings);
  const stopping = new AbortController();
  const dueMails = createSampled('due mails', clock, () => countDueMails(database, clock.now()));
  const jobs: Job[] = [
    ...jobsOf({ ...fixture, transport: mail, spoolFolder, stopping: stopping.signal }),
    readiness.job,
    node.lease,
    ...(settings.metrics === undefined ? [] : [dueMails.job]),
    presence.comparison,
    telemetry.retention,
    rollouts.job,
    esims.job,
    ...remoteAccess.jobs,
  ];
  const metrics =
    settings.metrics === undefined
      ? undefined
      : createMetrics({
          app,
          operations: () => table.operations,
          figures: figuresOf({
            pool,
            gateway,
            dispatcher,
            rollouts,
            sockets: () => countSockets(app),
            mailsDue: dueMails.read,
            freeBytes: () => readiness.freeBytes,
          }),
        });
  let metricsListener: MetricsListener | undefined;
  let runner: ReturnType<typeof startJobs> | undefined;

  return {
    database,
    operations: table.operations,
    gateway,
    presence,
    rollouts,
    get port() {
      return (app.server.address() as AddressInfo).port;
    },
    get metricsPort() {
      return metricsListener?.port;
    },
    async mintSetUpLink() {
      const secret = await accounts.mintSetUpSecret();
      return secret === undefined ? undefined : `${settings.http.publicUrl}/account.html?setup=${secret}`;
    },
    reloadTls,
    async listen() {
      await sweepAtStart(spoolFolder);
      await sealEarlierMails(database, mailSealing);
      await telemetry.start();
      await node.start();
      await presence.start();
      await remoteAccess.start();
      await listenAt(app, settings.http);
      if (metrics !== undefined && settings.metrics !== undefined)
        metricsListener = await listenForMetrics(metrics, settings.metrics, log);
      runner = startJobs(jobs, clock, log);
      reportMissingFirmware(database, fixture.blobs, log).catch((error: unknown) =>
        log.warn({ err: error }, 'Failed to compare firmware files with the catalogue.'),
      );
    },
    async close() {
      liveStreams.closeAll();
      await metricsListener?.close();
      // While the routers are still connected.
      await remoteAccess.stop();
      tunnels.close();
      await gateway.drain();
      await closeCalls(app, options.timeoutMs ?? TIMEOUT_MS);
      stopping.abort();
      await runner?.stop();
      await Promise.all([rollouts.stop(), esims.stop()]);
      await routers.stop();
      await mail.close();
      await dispatcher.stop();
    },
  };
}

/**
 * The endpoints that routers connect to, USP and tunnels, and what they report through them.
 * @param origin address that routers reach us at
 * @param clientCas the operator's own authorities for client certificates
 */
function openRouterEndpoints(
  app: FastifyInstance,
  { settings, installation, clock, log, gateway: timings, lease = {} }: ComposeOptions,
  database: Database,
  origin: () => string,
  clientCas: () => readonly X509Certificate[],
) {
  const silenceMs = settings.routerOfflineSeconds * 1000;
  const name = nodeName(hostname(), settings.dataDir);
  const node = createNode({ database, name, version, timeouts: lease });
  const presence = createPresence({ database, clock, log, node, graceMs: silenceMs });
  const telemetry = createTelemetry({ database, clock, log, retentionDays: settings.telemetryDays });
  const reports = createRouterAlarms({ database, clock, log });
  const rejections = createRejections({ database, log });
  const addressOf = createAddressReader(settings.http.trustedProxies);
  const tunnels = attachTunnels(app.server, {
    ...settings.tunnels,
    hostKey: installation.hostKey,
    host: settings.http.host,
    origin: () => settings.tunnels.url ?? origin(),
    addressOf,
    log,
  });
  const gateway = attachGateway(app.server, {
    credentials: createRouterCredentials(database),
    presence,
    telemetry,
    ingest,
    reports,
    rejections,
    clock,
    log,
    controllerId: settings.controllerId,
    addressOf,
    certificateOf: createCertificateReader(clientCas, { fingerprintOf, endpointIdsOf }),
    otherUpgrade: (request, socket, head) => tunnels.upgrade(request, socket, head),
    settings: { silenceMs, pingMs: silenceMs * PING_SHARE, ...timings },
  });
  /** Write what routers have reported, after the gateway was drained. */
  const stop = async () => {
    for (const part of [presence, node, telemetry, reports, rejections]) await part.stop();
  };
  return { node, nodeName: name, presence, telemetry, tunnels, gateway, stop };
}

/** Address for routers; a port chosen by the system is known only once the server listens. */
function ownAddress(publicUrl: string, address: AddressInfo | null): string {
  return new URL(publicUrl).port === '0' && address !== null ? `http://127.0.0.1:${address.port}` : publicUrl;
}

function countSockets({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Pings are frequent enough that two may be lost within the keep-alive window. */
const PING_SHARE = 0.4;
const TIMEOUT_MS = 10_000;

/** Accept no new calls and finish the running ones; cut off those that exceed the time limit. */
async function closeCalls(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await app.close();
  clearTimeout(cut);
}

function mailTransport({ mail }: Settings): MailTransport {
  return mail.kind === 'smtp' ? createSmtpTransport(mail.url, mail.from) : createFolderTransport(mail.folder, mail.from);
}

/** /livez: the process runs. /healthz: it can do its work now. */
function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/livez', async () => ({ result: 'alive' }));
  app.get('/healthz', async (_request, reply) => {
    const reason = await readiness.check();
    return reason === undefined ? { result: 'ready' } : reply.code(503).send({ result: 'not ready', reason });
  });
}
