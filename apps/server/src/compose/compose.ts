import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { InjectOptions, LightMyRequestResponse as InjectResponse } from 'fastify';
import { createDatabase } from '../platform/adapters/database.ts';
import { followWrites } from '../platform/adapters/write-barrier.ts';
import { countFaults } from '../platform/adapters/blobs/counted.ts';
import { createReadiness } from './readiness.ts';
import { linkKeysOf } from './installation.ts';
import { openModules } from './modules.ts';
import { createAccountsService, createChallengeSealing, createSecondFactorSealing } from '../domains/accounts/index.ts';
import { createKeyReader } from '../domains/api-keys/index.ts';
import { createMailSealing } from '../domains/mails/index.ts';
import type { Actor } from '../kernel/index.ts';
import type { PresenceService } from '../domains/router-state/index.ts';
import type { RolloutEngine } from '../domains/rollouts/index.ts';
import type { Gateway } from '../transport/usp/index.ts';
import type { AnyOperation } from '../platform/calls/call.ts';
import { firstStepOfCall, lastStepOfCall, outsideCalls } from '../platform/calls/call-steps.ts';
import { isBuilt } from '../transport/http/console.ts';
import {
  createDispatcher,
  createTenantsInUse,
  deliverWhenShown,
  exchangeCommitNotices,
  hasAnnounced,
  type Dispatcher,
} from '../platform/outbox/index.ts';
import { createNodeChannel } from '../platform/node-rpc/index.ts';
import { createLiveStreams, type LiveStreams } from '../transport/events/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { StartupError } from '../platform/settings/settings-file.ts';
import { nameInstallation } from '../platform/settings/settings.ts';
import type { ComposeOptions } from './options.ts';
import { openMembership } from './cells.ts';
import { openMetrics } from './metrics.ts';
import { disconnectEverywhere, exchangeMoves } from './node-messages.ts';
import { openRouterEndpoints } from './routers.ts';
import { openCalls, servePages, ownAddress } from './calls.ts';
import { followMasterKey } from './master-key.ts';
import { createLifecycle } from './lifecycle.ts';

const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

export interface HighlineServer {
  readonly database: Database;
  readonly operations: readonly AnyOperation[];
  /** The endpoint for routers. */
  readonly gateway: Gateway;
  /** Which routers are connected. */
  readonly presence: PresenceService;
  readonly rollouts: RolloutEngine;
  /** Answer a request that comes over no socket. */
  inject(request: InjectOptions): Promise<InjectResponse>;
  /** Start listening, and everything that happens without a call. */
  listen(): Promise<void>;
  /** Mint the link that sets up an installation without an account; undefined once it has one. */
  mintSetUpLink(): Promise<string | undefined>;
  /** Reload the TLS files; connections stay, and invalid files change nothing. */
  reloadTls(): Promise<void>;
  /** The port in use, once it listens. */
  readonly port: number;
  /** The port of /metrics; undefined when it is disabled. */
  readonly metricsPort: number | undefined;
  /** Milliseconds since this process checked last whether it can write; it grows only when the process is stuck. */
  sinceCheck(): number;
  /** Ask routers and consoles to reconnect with jitter, finish running calls and writes, and stop. */
  close(): Promise<void>;
}

/** Compose the application: the only module that knows both adapters and domains. */
export async function composeServer(options: ComposeOptions): Promise<HighlineServer> {
  const { settings, installation, log, clock, consoleFolder = builtConsole } = options;
  const { pool, ready, replica } = options.opened;
  if (options.withoutConsole !== true && !isBuilt(consoleFolder))
    throw new StartupError('The console is not built. Start with `npm start` or `npm run serve`, which build it.');

  const membership = openMembership(settings, log);
  // The callbacks name parts that are made below: no commit can happen before composition is complete.
  const { database, writesEnded } = followWrites(
    createDatabase(
      pool,
      () => {
        outsideCalls(() => {
          dispatcher.wake();
          noticeCommit();
        });
      },
      (error) => readiness.noteFailure(error),
      replica,
      async (tx) => {
        await lastStepOfCall(tx, hasAnnounced(tx));
        await membership?.claim(tx);
      },
      firstStepOfCall,
    ),
  );
  const readiness = createReadiness({ database, ready, dataDir: settings.dataDir, leastFreeBytes: options.leastFreeBytes });
  const tenants = createTenantsInUse();
  const dispatcher = createDispatcher(database, log, () => ({ mainAccounts: tenants.list(), topics: ENGINE_TOPICS }));
  const channel = createNodeChannel({ bus: options.bus, masterKey: installation.masterKeys, log });
  const noticeCommit = exchangeCommitNotices(channel, dispatcher, log);
  const shown = replica === undefined ? dispatcher : deliverWhenShown(dispatcher, replica.whenShown);
  const { mailSealing, accounts, keys, readActor, liveStreams } = openAccounts(options, database, dispatcher, shown);
  tenants.include(liveStreams.tenants);
  const calls = await openCalls(options, database, accounts, keys, tenants.note, liveStreams.lastEventId);
  const { app, table, tls, spoolFolder, reloadTls } = calls;
  const origin = () => ownAddress(settings.http.publicUrl, app.server.address() as AddressInfo | null);
  const countedBlobs = countFaults(installation.blobs);
  const routers = openRouterEndpoints(app, options, database, origin, () => tls?.clientCas() ?? []);
  const { node, presence, gateway } = routers;
  exchangeMoves(channel, node, presence);
  const link = disconnectEverywhere({ channel, presence, clock, log }, gateway.deviceLink);
  const shared = {
    settings,
    database,
    clock,
    log,
    channel,
    deviceLink: options.parts?.linkOf?.(link) ?? link,
    contacts: options.parts?.contacts ?? presence.contacts,
    blobs: countedBlobs.blobs,
    auditKey: installation.auditKey,
    masterKey: installation.masterKeys,
    pushKeyPair: installation.pushKey,
    linkKeys: linkKeysOf(installation),
    checkpoints: installation.checkpoints,
    origin,
    clientTls: { isServed: tls !== undefined, trustsOthers: settings.http.tls?.clientCaFile !== undefined },
    authorityAdded: () => void reloadTls(),
    mailSealing,
    stopping: new AbortController(),
    inBackground: <Result>(work: () => Result) => lifecycle.inBackground(work),
  };
  const modules = openModules({
    ...shared,
    ...routers,
    ...calls,
    keys,
    readActor,
    dispatcher,
    shown,
    tenants,
    timeouts: options,
  });
  tenants.include(modules.remoteAccess.tenants);
  liveStreams.register(table);
  options.registerPages?.(app, database, mailSealing);
  await servePages(options, { ...calls, links: modules.openLinks }, readiness, channel, consoleFolder);

  const metrics = openMetrics(settings.metrics, table, {
    ...routers,
    ...modules,
    nodeName: settings.nodeName,
    installation: nameInstallation(settings),
    app,
    channel,
    pool,
    replica,
    dispatcher,
    certificateExpiries: tls?.expiries,
    freeBytes: () => readiness.freeBytes,
    blobFaults: countedBlobs.faults,
    jobs: () => lifecycle.jobs(),
  });
  const lifecycle = createLifecycle(options, {
    ...shared,
    ...modules,
    ...routers,
    app,
    tls,
    spoolFolder,
    dispatcher,
    liveStreams,
    metrics,
    readiness,
    masterKeyJob: followMasterKey({ database, keys: installation.masterKeys, node, writesEnded, log }),
    membership,
  });

  return {
    database,
    operations: table.operations,
    gateway,
    presence,
    rollouts: modules.rollouts,
    get port() {
      return (app.server.address() as AddressInfo).port;
    },
    get metricsPort() {
      return metrics.port();
    },
    async mintSetUpLink() {
      const secret = await accounts.mintSetUpSecret();
      return secret === undefined ? undefined : `${settings.http.publicUrl}/account.html?setup=${secret}`;
    },
    reloadTls,
    sinceCheck: readiness.sinceCheck,
    inject: (request) => app.inject(request),
    listen: lifecycle.listen,
    close: lifecycle.close,
  };
}

/** Events that wake the engines of every process, whichever tenant they are of. */
const ENGINE_TOPICS = ['rollouts', 'esims', 'jobs', 'commands'] as const;

/** Accounts, and the open streams of their sessions. */
function openAccounts(
  { installation, clock, log }: ComposeOptions,
  database: Database,
  dispatcher: Dispatcher,
  shown: Pick<Dispatcher, 'subscribe' | 'readUpTo'>,
) {
  const mailSealing = createMailSealing(installation.masterKeys);
  const accounts = createAccountsService({
    database,
    clock,
    sealing: createSecondFactorSealing(installation.masterKeys),
    mailSealing,
    challenges: createChallengeSealing(installation.masterKeys),
    warn: (passkey) => log.warn({ passkey }, 'passkey rejected: its counter fell'),
    endStreams: (which) => liveStreams.end(which),
  });
  const keys = createKeyReader({ database, clock });
  /** The actor of a session or an API key, by SHA-256 of its bearer in hex. */
  const readActor = async (sessionId: string, address?: string): Promise<Actor | undefined> =>
    (await accounts.readSession(Buffer.from(sessionId, 'hex'), address)) ?? keys.readActor(sessionId);
  const liveStreams: LiveStreams = createLiveStreams({
    database,
    clock,
    dispatcher,
    shown,
    log,
    readSession: readActor,
  });
  return { mailSealing, accounts, keys, readActor, liveStreams };
}
