import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { AuditKey } from '../platform/adapters/audit/key.ts';
import { countPerson, registerAccountRoutes, type AccountsService } from '../domains/accounts/index.ts';
import { registerAnalysisRoutes } from '../domains/analysis/index.ts';
import { createCommandRuns, registerCommandRoutes } from '../domains/commands/index.ts';
import { createSeal, registerConfigRoutes } from '../domains/configs/index.ts';
import { registerDeviceRoutes } from '../domains/devices/index.ts';
import {
  createCodeSeal,
  createEsimEngine,
  registerEsimRoutes,
  type EsimEngine,
  type EsimTimeouts,
} from '../domains/esims/index.ts';
import { registerFirmwareRoutes } from '../domains/firmware/index.ts';
import { registerGroupRoutes } from '../domains/groups/index.ts';
import { createAuthoritySealing, registerInventoryRoutes, type ClientTls } from '../domains/inventory/index.ts';
import { registerLogRoutes } from '../domains/logs/index.ts';
import { createMailSealing, registerMailRoutes } from '../domains/mails/index.ts';
import { registerNotificationRoutes } from '../domains/notifications/index.ts';
import { registerOrganizationRoutes } from '../domains/organizations/index.ts';
import { registerPropertyRoutes } from '../domains/properties/index.ts';
import {
  createRemoteAccess,
  registerRemoteAccessRoutes,
  type RemoteAccess,
  type RemoteAccessTimeouts,
} from '../domains/remote-access/index.ts';
import { registerReportRoutes } from '../domains/reports/index.ts';
import {
  createDownloadPasswords,
  createRolloutEngine,
  registerDownloads,
  registerRolloutRoutes,
  type RolloutTimeouts,
  type RolloutEngine,
} from '../domains/rollouts/index.ts';
import type { ServerNode } from '../platform/nodes/index.ts';
import type { RemoteCallTimeouts } from '../platform/node-rpc/index.ts';
import { Allowance, networkOf } from '../transport/upgrades/index.ts';
import { hashBearer } from '../transport/http/bearer.ts';
import { keepSession } from '../transport/http/cookies.ts';
import type { RouteTable } from '../transport/http/register.ts';
import { createReader, createRowStreams, createTimedReader } from '../platform/listing/index.ts';
import type { Dispatcher } from '../platform/outbox/index.ts';
import type { BlobStore } from '../platform/ports/blobs.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { Contacts } from '../platform/ports/contacts.ts';
import type { Database } from '../platform/ports/database.ts';
import type { DeviceLink } from '../platform/ports/device-link.ts';
import type { Log } from '../platform/ports/log.ts';
import type { Tunnels } from '../platform/ports/tunnels.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { version } from '../platform/process/version.ts';

/** Shared dependencies of the domains. */
export interface ModuleDeps {
  readonly settings: Settings;
  readonly clientTls: ClientTls;
  readonly authorityAdded: () => void;
  readonly app: FastifyInstance;
  readonly table: RouteTable;
  readonly pool: Pool;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly dispatcher: Dispatcher;
  /** This process among those that share the database. */
  readonly node: ServerNode;
  readonly nodeName: string;
  readonly deviceLink: DeviceLink;
  /** The last contact of connected routers. */
  readonly contacts: Contacts;
  readonly tunnels: Tunnels;
  readonly blobs: BlobStore;
  readonly auditKey: AuditKey;
  readonly accounts: AccountsService;
  /** Origins that the console's calls may come from. */
  readonly origins: ReadonlySet<string>;
  /** Send cookies over HTTPS only. */
  readonly secure: boolean;
  /** Address that routers download files from, without a trailing slash. */
  readonly origin: () => string;
  readonly timeouts: {
    readonly rollouts: Partial<RolloutTimeouts>;
    readonly esims: Partial<EsimTimeouts>;
    readonly remote: Partial<RemoteAccessTimeouts>;
    readonly commands: Partial<RemoteCallTimeouts>;
  };
}

/** Background work of the domains, besides the calls they answer. */
export interface Modules {
  readonly rollouts: RolloutEngine;
  readonly esims: EsimEngine;
  readonly remoteAccess: RemoteAccess;
}

/** Wrong download URLs in a row, by network and step. */
const WRONG_DOWNLOADS = 20;

/** Create every domain: register its calls and prepare its background work. */
export function openModules(deps: ModuleDeps): Modules {
  const { settings, app, table, pool, database, clock, log, dispatcher, deviceLink, contacts, blobs, origin, timeouts, node } =
    deps;
  const { masterKey, expiringDays, telemetryDays } = settings;
  const reader = createReader(database);
  const streams = createRowStreams(pool, reader);
  const agent = { address: settings.http.publicUrl.replace(/^http/u, 'ws'), controllerId: settings.controllerId };
  const onChanged = changesOf(dispatcher);
  const shared = { database, reader, streams, clock, deviceLink, contacts, agent, onChanged, expiringDays };
  const publicUrl = settings.mode === 'demo' ? undefined : settings.http.publicUrl;

  openSignIn(deps, { reader, streams, publicUrl });
  registerOrganizationRoutes(table, { ...shared, publicUrl, mailSealing: createMailSealing(masterKey) });
  registerDeviceRoutes(table, shared);
  registerGroupRoutes(table, shared);

  const seal = createSeal(masterKey);
  registerFirmwareRoutes(table, { ...shared, ...settings.firmware, blobs });
  registerConfigRoutes(table, { ...shared, seal });
  registerRolloutRoutes(table, shared);
  const codes = createCodeSeal(masterKey);
  registerEsimRoutes(table, { ...shared, codes });
  registerDownloads(app, { ...shared, blobs, seal, networkOf, tries: new Allowance(WRONG_DOWNLOADS) });
  const rollouts = createRolloutEngine({
    ...shared,
    log,
    node,
    passwords: createDownloadPasswords(masterKey),
    downloads: settings.rolloutDownloads,
    downloadUrl: origin,
    timeouts: timeouts.rollouts,
  });
  const esims = createEsimEngine({ ...shared, log, node, codes, timeouts: timeouts.esims });
  dispatcher.subscribe((events) => {
    if (events.some(({ topic }) => topic === 'rollouts')) rollouts.wake();
    if (events.some(({ topic }) => topic === 'esims')) esims.wake();
  });

  // Calls to the process that holds a router's connection.
  const handing = {
    ...shared,
    log,
    masterKey,
    readSession: (sessionId: string) => deps.accounts.readSession(Buffer.from(sessionId, 'hex'), ''),
  };
  const remoteAccess = createRemoteAccess({
    ...handing,
    tunnels: deps.tunnels,
    node: deps.nodeName,
    timeouts: timeouts.remote,
  });
  registerRemoteAccessRoutes(table, remoteAccess);
  dispatcher.subscribe((events) => remoteAccess.onEvents(events));
  const runs = createCommandRuns({ ...handing, timeouts: timeouts.commands });
  registerCommandRoutes(table, { ...shared, runs });
  dispatcher.subscribe((events) => runs.onEvents(events));
  registerPropertyRoutes(table, shared);
  registerInventoryRoutes(table, {
    ...shared,
    log,
    clientTls: deps.clientTls,
    authorities: { sealing: createAuthoritySealing(masterKey), authorityAdded: deps.authorityAdded },
  });
  registerLogRoutes(table, { ...shared, auditKey: deps.auditKey });
  registerNotificationRoutes(table, { ...shared, countPerson });
  registerMailRoutes(table, shared);
  const asking = { ...shared, timed: createTimedReader(pool, reader), keptDays: telemetryDays };
  registerReportRoutes(table, asking);
  registerAnalysisRoutes(table, asking);
  return { rollouts, esims, remoteAccess };
}

type SignInParts = Pick<Parameters<typeof registerAccountRoutes>[1], 'reader' | 'streams' | 'publicUrl'>;

/** The account service alone depends on cookies, origins and the demo. */
function openSignIn({ settings, table, accounts, origins, secure }: ModuleDeps, parts: SignInParts): void {
  registerAccountRoutes(table, {
    ...parts,
    service: accounts,
    version,
    demo: settings.mode === 'demo',
    origins,
    keepSession: (reply, id, vap) => keepSession(reply, secure, id, vap),
    findHandedOver: async (id, vap, address) => (await accounts.readSession(hashBearer(vap), address))?.accountId === id,
  });
}

/** Notify of every committed change to a main account's data, once per main account and batch. */
function changesOf(dispatcher: Dispatcher): (listener: (mainAccountId: string) => void) => void {
  return (listener) => {
    dispatcher.subscribe((events) => {
      for (const mainAccountId of new Set(events.map((event) => event.mainAccountId)))
        if (mainAccountId !== null) listener(mainAccountId);
    });
  };
}
