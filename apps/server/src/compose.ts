import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createFolderBlobs } from './adapters/blobs/folder.ts';
import { createFolderCheckpoints } from './adapters/audit/checkpoints.ts';
import { openAuditKey } from './adapters/audit/key.ts';
import { createDatabase } from './adapters/database.ts';
import { createFolderTransport } from './adapters/mail/folder.ts';
import { createSmtpTransport } from './adapters/mail/smtp.ts';
import { isConnectionFault } from './adapters/postgres/connect.ts';
import { registerDemoOutbox } from './demo/outbox.ts';
import {
  createAccountsService,
  createSecondFactorSealing,
  purgeRateWindows,
  purgeSessions,
  registerAccountRoutes,
} from './domains/accounts/index.ts';
import { registerAnalysisRoutes } from './domains/analysis/index.ts';
import { createCommandRuns, registerCommandRoutes } from './domains/commands/index.ts';
import { createSeal, registerConfigRoutes } from './domains/configs/index.ts';
import { purgeArchivedDevices, registerDeviceRoutes } from './domains/devices/index.ts';
import { createCodeSeal, createEsimEngine, registerEsimRoutes, type EsimPatience } from './domains/esims/index.ts';
import { registerFirmwareRoutes, sweepFirmwareBlobs } from './domains/firmware/index.ts';
import { registerGroupRoutes } from './domains/groups/index.ts';
import { purgeRouterEvents } from './domains/history/index.ts';
import { registerInventoryRoutes } from './domains/inventory/index.ts';
import { createCheckpoints, createLogRetention, registerLogRoutes } from './domains/logs/index.ts';
import { countDueMails, deliverDueMails, purgeMails, registerMailRoutes } from './domains/mails/index.ts';
import {
  createRouterReports,
  purgeEvents,
  registerNotificationRoutes,
  tellEvents,
  tellExpiries,
  type TellerDeps,
} from './domains/notifications/index.ts';
import { createPresence } from './domains/presence/index.ts';
import { registerPropertyRoutes } from './domains/properties/index.ts';
import { createRemoteAccess, nodeName, registerRemoteAccessRoutes, type RemotePatience } from './domains/remote-access/index.ts';
import { registerReportRoutes } from './domains/reports/index.ts';
import { createTelemetry } from './domains/telemetry/index.ts';
import {
  createPasswords,
  createRolloutEngine,
  purgeEndedBindings,
  registerDownloads,
  registerRolloutRoutes,
  type Patience,
  type RolloutEngine,
} from './domains/rollouts/index.ts';
import { createOrganizationFinder, purgeOrganizations, registerOrganizationRoutes } from './domains/organizations/index.ts';
import { Allowance, attachGateway, networkOf, type Gateway, type GatewaySettings } from './gateway/index.ts';
import type { AnyOperation } from './http/call.ts';
import { isBuilt, serveConsole } from './http/console.ts';
import { type ErrandPatience, purgeErrands } from './errands/index.ts';
import { keepSession } from './http/cookies.ts';
import { createAddressReader } from './http/address.ts';
import { hashBearer, type SessionReader } from './http/bearer.ts';
import { answerNotFound } from './http/faults.ts';
import { describeApi } from './http/openapi.ts';
import { RouteTable } from './http/register.ts';
import { createHttpServer } from './http/server.ts';
import { sweepUploads } from './http/upload.ts';
import { startJobs, type Job } from './jobs/runner.ts';
import { listenAt } from './listen.ts';
import { createReader, createRowStreams, createTimedReader } from './listing/index.ts';
import { createLiveStreams, purgeOutbox, startDispatcher, type LiveStreams } from './live/index.ts';
import { createMetrics, figuresOf, listenForMetrics, type MetricsListener } from './metrics/index.ts';
import type { BlobStore } from './ports/blobs.ts';
import type { Clock } from './ports/clock.ts';
import type { Database } from './ports/database.ts';
import type { MailTransport } from './ports/mail.ts';
import { StartRefused, type Settings } from './settings.ts';
import { attachTunnels, openHostKey } from './tunnels/index.ts';
import { version } from './version.ts';

const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

export interface ComposeOptions {
  readonly settings: Settings;
  readonly pool: Pool;
  readonly ready: () => Promise<boolean>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Check every answer against its schema: in tests and in the demo, where an answer that differs is a bug to be seen. */
  readonly checkAnswers?: boolean;
  /** Another pace of the gateway, for tests. */
  readonly gateway?: Partial<Omit<GatewaySettings, 'controllerId'>>;
  /** Another patience with routers, for tests. */
  readonly rollouts?: Partial<Patience>;
  readonly esims?: Partial<EsimPatience>;
  /** Another patience with remote sessions, for tests. */
  readonly remote?: Partial<RemotePatience>;
  /** The same with other processes that run commands. */
  readonly commands?: Partial<ErrandPatience>;
  /** How long calls under way may take once we stop, milliseconds. */
  readonly patienceMs?: number;
  /** Serve calls alone, without the built console. */
  readonly withoutConsole?: boolean;
  /** Another folder than where the console is built to. */
  readonly consoleFolder?: string;
}

export interface HighlineServer {
  readonly database: Database;
  readonly operations: readonly AnyOperation[];
  /** Where routers connect. */
  readonly gateway: Gateway;
  readonly rollouts: RolloutEngine;
  /** Begin to listen. */
  listen(): Promise<void>;
  /** Mint the link to set up an installation that has no account yet; undefined once it has one. */
  mintSetUpLink(): Promise<string | undefined>;
  /** The port in use, once it listens. */
  readonly port: number;
  /** The same of /metrics; undefined where there is none. */
  readonly metricsPort: number | undefined;
  /** Tell routers and consoles to come back with jitter, finish calls and writes under way, and stop. */
  close(): Promise<void>;
}

/** Put the house together: the one place that knows adapters and rooms. */
export async function composeServer(options: ComposeOptions): Promise<HighlineServer> {
  const { settings, pool, log, clock, consoleFolder = builtConsole } = options;
  if (options.withoutConsole !== true && !isBuilt(consoleFolder))
    throw new StartRefused('The console is not built. Start with `npm start` or `npm run serve`, which build it.');

  // Assigned below; a commit can only happen after everything is put together.
  const wakers: (() => void)[] = [];
  const database = createDatabase(pool, () => {
    for (const wake of wakers) wake();
  });
  const dispatcher = startDispatcher(database, log);
  wakers.push(() => dispatcher.wake());
  const reader = createReader(database);
  const streams = createRowStreams(pool, reader);

  let live: LiveStreams | undefined = undefined as LiveStreams | undefined;
  const accounts = createAccountsService({
    database,
    clock,
    sealing: createSecondFactorSealing(settings.masterKey),
    endStreams: (which) => live?.end(which),
  });
  const sessions: SessionReader = { readSession: (bearerHash, address) => accounts.readSession(bearerHash, address) };
  const liveStreams = createLiveStreams({
    database,
    clock,
    dispatcher,
    log,
    readSession: (sessionId) => accounts.readSession(Buffer.from(sessionId, 'hex'), ''),
  });
  live = liveStreams;

  const { tls } = settings.http;
  const app = await createHttpServer({
    log,
    trustedProxies: settings.http.trustedProxies,
    tls: tls === undefined ? undefined : { cert: readFileSync(tls.certFile, 'utf8'), key: readFileSync(tls.keyFile, 'utf8') },
    isBusy: isConnectionFault,
  });
  const origins = new Set([settings.http.publicUrl]);
  const secure = settings.http.publicUrl.startsWith('https:');
  const auditKey = openAuditKey(settings.dataDir);
  const spoolFolder = join(settings.dataDir, 'uploads');
  const table = new RouteTable(app, {
    sessions,
    organizations: createOrganizationFinder(database),
    origins,
    checkAnswers: options.checkAnswers ?? false,
    spoolFolder,
  });

  const silenceMs = settings.routerOfflineSeconds * 1000;
  const presence = createPresence({ database, clock, log, graceMs: silenceMs });
  const telemetry = createTelemetry({ database, clock, log, retentionDays: settings.telemetryDays });
  const reports = createRouterReports({ database, clock, log });
  const origin = () => ownAddress(settings.http.publicUrl, app.server.address() as AddressInfo | null);
  const addressOf = createAddressReader(settings.http.trustedProxies);
  const tunnels = attachTunnels(app.server, {
    ...settings.tunnels,
    hostKey: openHostKey(settings.dataDir),
    host: settings.http.host,
    origin: () => settings.tunnels.url ?? origin(),
    addressOf,
    log,
  });
  const gateway = attachGateway(app.server, {
    database,
    presence,
    telemetry,
    reports,
    clock,
    log,
    controllerId: settings.controllerId,
    addressOf,
    otherUpgrade: (request, socket, head) => tunnels.upgrade(request, socket, head),
    settings: { silenceMs, pingMs: silenceMs * PING_SHARE, ...options.gateway },
  });
  const { deviceLink } = gateway;
  const agent = { address: settings.http.publicUrl.replace(/^http/u, 'ws'), controllerId: settings.controllerId };
  const onChanged = (hear: (mainAccountId: string) => void) => {
    dispatcher.subscribe((events) => {
      for (const mainAccountId of new Set(events.map((event) => event.mainAccountId)))
        if (mainAccountId !== null) hear(mainAccountId);
    });
  };
  const shared = { database, reader, streams, clock, deviceLink, agent, onChanged, expiringDays: settings.expiringDays };
  const publicUrl = settings.mode === 'demo' ? undefined : settings.http.publicUrl;
  registerAccountRoutes(table, {
    service: accounts,
    version,
    demo: settings.mode === 'demo',
    publicUrl,
    origins,
    reader,
    streams,
    keepSession: (reply, id, vap) => keepSession(reply, secure, id, vap),
    findHandedOver: async (id, vap, address) => (await accounts.readSession(hashBearer(vap), address))?.accountId === id,
  });
  registerOrganizationRoutes(table, { ...shared, publicUrl });
  registerDeviceRoutes(table, shared);
  registerGroupRoutes(table, shared);
  const blobs = createFolderBlobs(settings.firmware.folder);
  const seal = createSeal(settings.masterKey);
  registerFirmwareRoutes(table, { ...shared, ...settings.firmware, blobs });
  registerConfigRoutes(table, { ...shared, seal });
  registerRolloutRoutes(table, shared);
  const codes = createCodeSeal(settings.masterKey);
  registerEsimRoutes(table, { ...shared, codes });
  registerDownloads(app, { ...shared, blobs, seal, networkOf, tries: new Allowance(WRONG_DOWNLOADS) });
  const rollouts = createRolloutEngine({
    ...shared,
    log,
    passwords: createPasswords(settings.masterKey),
    downloads: settings.rolloutDownloads,
    downloadUrl: origin,
    patience: options.rollouts ?? {},
  });
  const esims = createEsimEngine({ ...shared, log, codes, patience: options.esims ?? {} });
  dispatcher.subscribe((events) => {
    if (events.some(({ topic }) => topic === 'rollouts')) rollouts.wake();
    if (events.some(({ topic }) => topic === 'esims')) esims.wake();
  });
  const handing = {
    ...shared,
    log,
    masterKey: settings.masterKey,
    readSession: (sessionId: string) => accounts.readSession(Buffer.from(sessionId, 'hex'), ''),
  };
  const remoteAccess = createRemoteAccess({
    ...handing,
    tunnels,
    node: nodeName(hostname(), settings.dataDir),
    patience: options.remote ?? {},
  });
  registerRemoteAccessRoutes(table, remoteAccess);
  dispatcher.subscribe((events) => remoteAccess.hear(events));
  const runs = createCommandRuns({ ...handing, patience: options.commands ?? {} });
  registerCommandRoutes(table, { ...shared, runs });
  dispatcher.subscribe((events) => runs.hear(events));
  registerPropertyRoutes(table, shared);
  registerInventoryRoutes(table, shared);
  registerLogRoutes(table, { ...shared, auditKey });
  registerNotificationRoutes(table, shared);
  registerMailRoutes(table, shared);
  const asking = { ...shared, timed: createTimedReader(pool, reader), keptDays: settings.telemetryDays };
  registerReportRoutes(table, asking);
  registerAnalysisRoutes(table, asking);
  liveStreams.register(table);
  if (settings.mode === 'demo') registerDemoOutbox(app, database);
  registerHealth(app, options);
  app.get('/openapi.json', async (_request, reply) => reply.send(describeApi(table.operations, version)));
  if (options.withoutConsole === true) app.setNotFoundHandler(answerNotFound);
  else await serveConsole(app, { folder: consoleFolder, sessions, origins, secure });

  const mail = mailTransport(settings);
  const stopping = new AbortController();
  const delivery = { database, transport: mail, now: () => clock.now(), log, stopping: stopping.signal };
  const uploads: Job = { name: 'abandoned uploads', everyMs: 60 * MINUTE, run: (now) => sweepUploads(spoolFolder, now) };
  const store = createFolderCheckpoints(join(settings.dataDir, 'audit'));
  const witness = { database, store, privateKey: auditKey.privateKey };
  const checkpoints: Job = {
    name: 'audit checkpoints',
    everyMs: 15 * MINUTE,
    run: createCheckpoints(witness),
  };
  const logRetention: Job = { name: 'log retention', everyMs: 60 * MINUTE, run: createLogRetention({ ...witness, log }) };
  const jobs: Job[] = [
    uploads,
    checkpoints,
    logRetention,
    { name: 'mail', everyMs: 2_000, run: () => deliverDueMails(delivery) },
    ...jobsOf(database, blobs),
    { name: 'deleted organizations', everyMs: 60 * MINUTE, run: (now) => purgeOrganizations({ database, deviceLink }, now) },
    ...tellingJobs({ database, clock, log, origin }),
    presence.comparison,
    telemetry.retention,
    { name: 'router events', everyMs: 60 * MINUTE, run: (now) => purgeRouterEvents(database, settings.telemetryDays, now) },
    rollouts.job,
    esims.job,
    ...remoteAccess.jobs,
    { name: 'errands', everyMs: MINUTE, run: () => purgeErrands(database) },
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
            mailsDue: () => countDueMails(database, clock.now()),
          }),
        });
  let metricsListener: MetricsListener | undefined;
  let runner: ReturnType<typeof startJobs> | undefined;

  return {
    database,
    operations: table.operations,
    gateway,
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
    async listen() {
      await telemetry.start();
      await presence.start();
      await remoteAccess.start();
      await listenAt(app, settings.http);
      if (metrics !== undefined && settings.metrics !== undefined)
        metricsListener = await listenForMetrics(metrics, settings.metrics.host, settings.metrics.port);
      runner = startJobs(jobs, clock, log);
    },
    async close() {
      liveStreams.closeAll();
      await metricsListener?.close();
      // While the routers are still there to hear of it.
      await remoteAccess.stop();
      tunnels.close();
      await gateway.drain();
      await closeCalls(app, options.patienceMs ?? PATIENCE_MS);
      stopping.abort();
      await runner?.stop();
      await Promise.all([rollouts.stop(), esims.stop()]);
      await presence.stop();
      await telemetry.stop();
      await reports.stop();
      await mail.close();
      await dispatcher.stop();
    },
  };
}

/** Wrong tries at a download's address in a row, of one network. */
const WRONG_DOWNLOADS = 20;

/** Where routers come; the system's choice of a port is known only once it listens. */
function ownAddress(publicUrl: string, address: AddressInfo | null): string {
  return new URL(publicUrl).port === '0' && address !== null ? `http://127.0.0.1:${address.port}` : publicUrl;
}

function countSockets({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Pings come often enough that two may be lost within the keep-alive window. */
const PING_SHARE = 0.4;
const PATIENCE_MS = 10_000;

/** Take no new calls and finish those under way; one that does not end in time is cut off. */
async function closeCalls(app: FastifyInstance, patienceMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  await app.close();
  clearTimeout(cut);
}

function mailTransport({ mail }: Settings): MailTransport {
  return mail.kind === 'smtp' ? createSmtpTransport(mail.url, mail.from) : createFolderTransport(mail.folder, mail.from);
}

/** /livez: the process runs. /healthz: it can do its work now. */
function registerHealth(app: FastifyInstance, { ready }: ComposeOptions): void {
  app.get('/livez', async () => ({ result: 'alive' }));
  app.get('/healthz', async (_request, reply) =>
    (await ready()) ? { result: 'ready' } : reply.code(503).send({ result: 'not ready' }),
  );
}

/** Mails are written as soon as something happens, within the pauses that keep them few. */
function tellingJobs(deps: TellerDeps): Job[] {
  return [
    { name: 'events to tell', everyMs: 2_000, run: () => tellEvents(deps) },
    { name: 'ending subscriptions', everyMs: 10 * MINUTE, run: () => tellExpiries(deps) },
    { name: 'event retention', everyMs: 60 * MINUTE, run: (now) => purgeEvents(deps.database, now) },
  ];
}

const MINUTE = 60_000;

/** Everything that happens by the clock; each keeps some table within its bounds, or carries a queue on. */
function jobsOf(database: Database, blobs: BlobStore): Job[] {
  return [
    { name: 'outbox retention', everyMs: 5 * MINUTE, run: (now) => purgeOutbox(database, now) },
    { name: 'session retention', everyMs: 10 * MINUTE, run: (now) => purgeSessions(database, now) },
    { name: 'rate window retention', everyMs: 10 * MINUTE, run: (now) => purgeRateWindows(database, now) },
    { name: 'mail retention', everyMs: 60 * MINUTE, run: (now) => purgeMails(database, now) },
    { name: 'firmware files', everyMs: 60 * MINUTE, run: (now) => sweepFirmwareBlobs(database, blobs, now) },
    { name: 'ended bindings', everyMs: 60 * MINUTE, run: (now) => purgeEndedBindings(database, now) },
    { name: 'archived devices', everyMs: 60 * MINUTE, run: (now) => purgeArchivedDevices(database, now) },
  ];
}
