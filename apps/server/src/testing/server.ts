import { Client } from 'pg';
import { pino, type Logger } from 'pino';
import { BusHub, createInProcessBus } from '../platform/adapters/bus/in-process.ts';
import { openDatabase, type OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import { composeServer, type HighlineServer } from '../compose/compose.ts';
import { openBus } from '../compose/bus.ts';
import type { ComposeOptions } from '../compose/options.ts';
import { openInstallation, type Installation } from '../compose/installation.ts';
import { createSecondFactorSealing } from '../domains/accounts/index.ts';
import { createSeal } from '../domains/configs/index.ts';
import type { CommandTimeouts } from '../domains/commands/index.ts';
import { createCodeSeal, type EsimTimeouts } from '../domains/esims/index.ts';
import type { RemoteAccessTimeouts } from '../domains/remote-access/index.ts';
import type { RolloutTimeouts } from '../domains/rollouts/index.ts';
import type { TlsFiles } from '../platform/settings/tls-files.ts';
import type { NodeBus } from '../platform/ports/node-bus.ts';
import { systemClock, type Clock } from '../platform/ports/clock.ts';
import { readSettings, type Settings } from '../platform/settings/settings.ts';
import { registerDemoOutbox } from '../demo/outbox.ts';
import { createTestDatabase, folderOf, type TestDatabase } from './database.ts';
import { until } from './call.ts';
import { createMailSealing } from '../domains/mails/index.ts';
import { silentLog } from './log.ts';
import { createSlowLog } from '../platform/process/slow-log.ts';
import { createSigner } from './images.ts';
import { readMails, type StoredMail } from './mail.ts';
import type { WebCallerSettings } from '../platform/adapters/web-caller/web-caller.ts';
import type { RouterBalanceSettings } from '../compose/balance.ts';
import type { LeaseTimeouts } from '../platform/nodes/index.ts';
import type { RemoteCallTimeouts } from '../platform/node-rpc/index.ts';
import { RemoteRouter, type RemoteRouterOptions } from './remote-router.ts';
import { createSeeding, type Seeding } from './seeding.ts';

export interface TestServer {
  readonly url: string;
  readonly inject: HighlineServer['inject'];
  reloadTls(): Promise<void>;
  /** Port of /metrics; undefined when it is disabled. */
  readonly metricsPort: number | undefined;
  readonly operations: HighlineServer['operations'];
  readonly database: HighlineServer['database'];
  readonly rollouts: HighlineServer['rollouts'];
  /** Keys and files shared with other processes. */
  readonly installation: Installation;
  readonly presence: HighlineServer['presence'];
  /** The owner's connection, with all rights. */
  readonly owner: Client;
  readonly seeding: Seeding;
  /** Mails to an address, newest first. */
  mailsTo(recipient: string): Promise<StoredMail[]>;
  /** Connect a scripted router, which is stopped when the server is closed. Resolves when it is online. */
  connectRouter(router: Pick<RemoteRouterOptions, 'secret' | 'endpointId'> & Partial<RemoteRouterOptions>): Promise<RemoteRouter>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly clock?: Clock;
  readonly folder?: string;
  /** Other timeouts of remote sessions. */
  readonly remote?: Partial<RemoteAccessTimeouts>;
  /** Other timeouts of calls to other processes. */
  readonly commands?: Partial<RemoteCallTimeouts>;
  /** Another resolver, authority or time limit of webhooks. */
  readonly webhooks?: Partial<Pick<WebCallerSettings, 'resolver' | 'ca' | 'timeoutMs'>>;
  /** Silence after which a router counts as offline; pings are a few times as frequent. */
  readonly offlineSeconds?: number;
  /** Other tunnel settings than in the demo. */
  readonly tunnels?: Settings['tunnels'];
  /** Timings of the lease of its node. */
  readonly lease?: Partial<LeaseTimeouts>;
  /** When routers are sent to other processes. */
  readonly balance?: Partial<RouterBalanceSettings>;
  /** Other timeouts of rollouts. */
  readonly rollouts?: Partial<RolloutTimeouts>;
  /** Other timeouts of eSIM steps. */
  readonly esims?: Partial<EsimTimeouts>;
  /** Other timeouts of commands that wait for routers. */
  readonly sentCommands?: Partial<CommandTimeouts>;
  /** Concurrent downloads. */
  readonly downloads?: number;
  /** Free disk of the data folder below which it is not ready. */
  readonly leastFreeBytes?: number;
  /** Where it logs; default: nowhere. */
  readonly log?: Logger;
  /** Serve /metrics too. */
  readonly metrics?: boolean;
  /** Shared by all servers on a database, 32 bytes in hex; default: the folder's own. */
  readonly masterKey?: string;
  /** A database that outlives this server, to start a second one on it; by default the server has its own. */
  readonly database?: TestDatabase;
  /** Where files are stored (BLOBS_URL); default: the folder. */
  readonly bucketUrl?: string;
  /** More settings. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Serve TLS. */
  readonly tls?: TlsFiles;
  /** Trusted proxies. */
  readonly trustedProxies?: readonly string[];
  /** Also serve a console from this folder. */
  readonly consoleFolder?: string;
}

const hubs = new Map<string, BusHub>();

/** What connects the servers of this process on one database. */
function hubOf({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): BusHub {
  const hub = hubs.get(ownerUrl) ?? new BusHub();
  hubs.set(ownerUrl, hub);
  return hub;
}

/** A bus that reaches the servers of this process on one database. */
export const openTestBus = (database: Pick<TestDatabase, 'ownerUrl'>): NodeBus => createInProcessBus(silentLog, hubOf(database));

/** What only some tests compose otherwise. */
interface Composition extends Pick<ComposeOptions, 'parts'> {
  readonly mode?: Settings['mode'];
  /** In place of the one that is stored in the database and the folder. */
  readonly makeInstallation?: (settings: Settings) => Installation;
}

/** The server as the product composes it, on its own database and folder, with answers checked against their schemas. */
export async function composeTestServer(
  options: TestServerOptions,
  { mode = 'demo', parts, makeInstallation }: Composition = {},
) {
  const database = options.database ?? (await createTestDatabase());
  const clock = options.clock ?? systemClock;
  const folder = options.folder ?? folderOf(database);
  const signer = createSigner();
  const given = readSettings(mode, {
    PORT: '0',
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
    HIGHLINE_DATA_DIR: folder,
    // Each connection reads the catalog for itself, which is half of what PostgreSQL has to do for a server that a test starts.
    DATABASE_POOL_SIZE: '4',
    LOG_LEVEL: 'fatal',
    ...(options.metrics === true ? { METRICS_LISTEN: '127.0.0.1:0' } : {}),
    ...(options.masterKey === undefined ? {} : { HIGHLINE_MASTER_KEY: options.masterKey }),
    ...(options.bucketUrl === undefined ? {} : { BLOBS_URL: options.bucketUrl }),
    ...options.environment,
  });
  const { tls, trustedProxies } = options;
  const settings = {
    ...given,
    http: { ...given.http, ...(tls !== undefined && { tls }), ...(trustedProxies !== undefined && { trustedProxies }) },
    routerOfflineSeconds: options.offlineSeconds ?? given.routerOfflineSeconds,
    rolloutDownloads: options.downloads ?? given.rolloutDownloads,
    tunnels: options.tunnels ?? given.tunnels,
    firmware: { ...given.firmware, publicKeys: [signer.publicKey] },
  };
  const log = options.log ?? pino({ level: 'fatal' });
  const slow = createSlowLog(log, settings.slowMs);
  const opened: OpenedDatabase = await openDatabase(settings.database, log, slow);
  const open = async () => makeInstallation?.(settings) ?? openInstallation({ database: opened, settings, clock, log });
  const installation = await open().catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  const bus =
    settings.nats === undefined
      ? createInProcessBus(log, hubOf(database))
      : await openBus(settings, installation.masterKeys, log);
  const server = await composeServer({
    bus,
    sharesFiles: true,
    settings,
    installation,
    opened,
    log,
    slow,
    clock,
    checkResponses: true,
    registerPages: mode === 'demo' ? registerDemoOutbox : undefined,
    rollouts: options.rollouts ?? {},
    esims: options.esims ?? {},
    sentCommands: options.sentCommands ?? {},
    remote: options.remote ?? {},
    commands: options.commands ?? {},
    webhooks: options.webhooks ?? {},
    lease: options.lease ?? {},
    balance: options.balance ?? {},
    ...(parts && { parts }),
    ...(options.leastFreeBytes === undefined ? {} : { leastFreeBytes: options.leastFreeBytes }),
    ...(options.consoleFolder === undefined ? { withoutConsole: true } : { consoleFolder: options.consoleFolder }),
    timeoutMs: 500,
  });
  const owner = new Client(database.ownerUrl);
  await owner.connect();
  const stores = {
    blobs: installation.blobs,
    seal: createSeal(installation.masterKeys),
    signer,
    factors: createSecondFactorSealing(installation.masterKeys),
    codes: createCodeSeal(installation.masterKeys),
  };
  return {
    server,
    settings,
    installation,
    owner,
    stores,
    seeding: createSeeding(server.database, clock, stores),
    mailsTo: (recipient: string) => readMails(owner, createMailSealing(installation.masterKeys), recipient),
    /** @param stopRouters once the server has closed */
    async close(stopRouters?: () => Promise<unknown>): Promise<void> {
      await owner.end();
      await server.close();
      await bus.close();
      installation.close();
      await stopRouters?.();
      await opened.close();
      if (options.database === undefined) await database.close();
    },
  };
}

/** The whole server on a free port of loopback. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { server, installation, owner, seeding, mailsTo, close } = await composeTestServer(options);
  await server.listen();
  const scheme = options.tls === undefined ? 'http' : 'https';
  const routers = new Set<RemoteRouter>();
  return {
    url: `${scheme}://127.0.0.1:${server.port}`,
    inject: (request) => server.inject(request),
    reloadTls: () => server.reloadTls(),
    metricsPort: server.metricsPort,
    operations: server.operations,
    database: server.database,
    rollouts: server.rollouts,
    installation,
    presence: server.presence,
    owner,
    mailsTo,
    seeding,
    async connectRouter(options) {
      const router = new RemoteRouter({ url: `${scheme}://127.0.0.1:${server.port}`, ...options });
      routers.add(router);
      await until(async () => {
        const device = await server.database.read
          .selectFrom('devices as d')
          .innerJoin('routers as r', 'r.id', 'd.router_id')
          .select('d.id')
          .where('r.endpoint_id', '=', options.endpointId)
          .where('d.presence', '=', 'online')
          .where('d.model', 'is not', null)
          .executeTakeFirst();
        return device !== undefined;
      });
      return router;
    },
    close: () => close(() => Promise.all(Array.from(routers, (router) => router.stop()))),
  };
}
