import type { Right } from '@highline/contract';
import type { FastifyInstance } from 'fastify';
import type { AuditKey } from '../platform/adapters/audit/key.ts';
import { ApprovalNeeded, holdCall } from '../domains/approvals/index.ts';
import { createServerPushKey, type PushKeyPair } from '../domains/webhooks/index.ts';
import { compareCrossings, createRotationAlerts } from '../domains/alerts/index.ts';
import { countPerson, countTestMail, type AccountsService } from '../domains/accounts/index.ts';
import type { KeyReader } from '../domains/api-keys/index.ts';
import { createBulkWorker, startCommandJob, type BulkWorker } from '../domains/bulk-jobs/index.ts';
import {
  createCommandEngine,
  createCommandRuns,
  createRouterPasswordSealing,
  type CommandTimeouts,
} from '../domains/commands/index.ts';
import { createSeal } from '../domains/configs/index.ts';
import {
  createCodeSeal,
  createEsimEngine,
  lockRoutersOfDevices,
  switchToOthers,
  type EsimEngine,
  type EsimTimeouts,
} from '../domains/esims/index.ts';
import { moveStates } from '../domains/geofences/index.ts';
import { createAuthoritySealing, type ClientTls } from '../domains/inventory/index.ts';
import { createOpenLinks, type OpenLinks } from '../domains/links/index.ts';
import { closeLeftCounters, createNetworks } from '../domains/networks/index.ts';
import { createBackupAddresses, createBackupSealing, sendBackup, sendRestore } from '../domains/router-backups/index.ts';
import {
  createOwnChanges,
  createRunningReader,
  createSettingsApplier,
  createSettingSealing,
  createSettingsEngine,
  createSettingsReader,
  createSettingsStates,
  toOutcome,
} from '../domains/router-settings/index.ts';
import { createStreetFinder } from '../domains/places/index.ts';
import { modules, organizationEnds, type ModuleDeps as NeededByModules } from '../domains/modules.ts';
import {
  createRemoteAccess,
  registerRemoteAccessRoutes,
  type RemoteAccess,
  type RemoteAccessTimeouts,
} from '../domains/remote-access/index.ts';
import {
  createDownloadPasswords,
  createRolloutEngine,
  registerDownloads,
  type RolloutTimeouts,
  type RolloutEngine,
} from '../domains/rollouts/index.ts';
import { createRecorders } from '../domains/recordings/index.ts';
import { createToolAddresses, createToolCalls, registerTransfers } from '../domains/tools/index.ts';
import { registerScim } from '../domains/scim/index.ts';
import { summaryOutcomes } from '../domains/summaries/index.ts';
import { createFolderTransport } from '../platform/adapters/mail/folder.ts';
import { createSmtpTransport } from '../platform/adapters/mail/smtp.ts';
import { createWebCaller, type WebCallerSettings } from '../platform/adapters/web-caller/web-caller.ts';
import type { ServerNode } from '../platform/nodes/index.ts';
import type { NodeChannel, RemoteCallTimeouts } from '../platform/node-rpc/index.ts';
import { exchangeDue } from './node-messages.ts';
import { Allowance } from '../transport/upgrades/index.ts';
import { hashBearer } from '../transport/http/bearer.ts';
import { eraseSentSession, keepSession } from '../transport/http/cookies.ts';
import type { RouteTable } from '../transport/http/register.ts';
import { createRemovals } from './removals.ts';
import { createKeySamples, createReader, createRowStreams, createTimedReader } from '../platform/listing/index.ts';
import type { Dispatcher, TenantsInUse } from '../platform/outbox/index.ts';
import type { Actor } from '../kernel/scope.ts';
import type { MasterKey } from '../kernel/sealing.ts';
import type { OpenModule } from '../platform/modules/module.ts';
import type { CheckpointStore } from '../platform/ports/checkpoints.ts';
import type { Deps } from '../platform/ports/deps.ts';
import type { MailTransport } from '../platform/ports/mail.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { version } from '../platform/process/version.ts';

/** Other timeouts than usual, for tests. */
export interface ModuleTimeouts {
  readonly rollouts?: Partial<RolloutTimeouts>;
  readonly esims?: Partial<EsimTimeouts>;
  /** Of remote sessions. */
  readonly remote?: Partial<RemoteAccessTimeouts>;
  /** Of calls to other processes. */
  readonly commands?: Partial<RemoteCallTimeouts>;
  /** Of commands that wait for routers. */
  readonly sentCommands?: Partial<CommandTimeouts>;
  /** Another resolver, authority or time limit of webhooks. */
  readonly webhooks?: Partial<Pick<WebCallerSettings, 'resolver' | 'ca' | 'timeoutMs'>>;
}

/** Shared dependencies of the domains. */
export interface ModuleDeps extends Pick<
  Deps,
  'database' | 'clock' | 'log' | 'deviceLink' | 'contacts' | 'tunnels' | 'blobs' | 'mailSealing'
> {
  readonly settings: Settings;
  readonly clientTls: ClientTls;
  readonly authorityAdded: () => void;
  readonly app: FastifyInstance;
  readonly table: RouteTable;
  readonly dispatcher: Dispatcher;
  /** The same events, once lists show what they are about. */
  readonly shown: Pick<Dispatcher, 'subscribe'>;
  readonly tenants: Pick<TenantsInUse, 'onReturn'>;
  /** This process among those that share the database. */
  readonly node: ServerNode;
  readonly nodeName: string;
  /** Messages to the others. */
  readonly channel: NodeChannel;
  readonly auditKey: AuditKey;
  readonly masterKey: MasterKey;
  readonly pushKeyPair: PushKeyPair;
  /** What links in mails are made with. */
  readonly linkKeys: MasterKey;
  readonly checkpoints: CheckpointStore;
  /** Aborted when no more mails may be sent. */
  readonly stopping: AbortController;
  readonly accounts: AccountsService;
  readonly keys: KeyReader;
  /** The actor of a session or an API key, by SHA-256 of its bearer in hex. */
  readonly readActor: (sessionId: string) => Promise<Actor | undefined>;
  /** Origins that the console's calls may come from. */
  readonly ownOrigin: string | undefined;
  /** Whether an error means that a service that we need is not reachable, and may be soon. */
  readonly isBusy: (error: unknown) => boolean;
  /** Send cookies over HTTPS only. */
  readonly secure: boolean;
  /** Address that routers download files from, without a trailing slash. */
  readonly origin: () => string;
  /** Work for everyone that a call only triggers; none is done before the server listens. */
  readonly inBackground: <Result>(work: () => Result) => Result | undefined;
  readonly timeouts: ModuleTimeouts;
}

/** The engines, and what each module does besides answering its calls. */
export interface Modules {
  readonly opened: readonly OpenModule[];
  readonly rollouts: RolloutEngine;
  readonly esims: EsimEngine;
  readonly bulkJobs: BulkWorker;
  readonly remoteAccess: RemoteAccess;
  readonly openLinks: OpenLinks;
  /** Sends mails. */
  readonly transport: MailTransport;
}

/** Wrong download URLs in a row, by network and step. */
const WRONG_DOWNLOADS = 20;

/** Create the engines, and open every module with what they need together. */
export function openModules(deps: ModuleDeps): Modules {
  const { settings, app, table, database, clock, log, dispatcher, deviceLink, contacts, blobs, origin, timeouts, node } = deps;
  const { expiringDays } = settings;
  const { masterKey, inBackground } = deps;
  const reader = createReader(database);
  const streams = createRowStreams(reader);
  const agent = { address: settings.http.publicUrl.replace(/^http/u, 'ws'), controllerId: settings.controllerId };
  const onChanged = changesOf(new Set([dispatcher, deps.shown]), deps.tenants);
  const keySamples = createKeySamples({ clock, onChanged });
  const shared = { database, reader, streams, keySamples, clock, deviceLink, contacts, agent, onChanged, expiringDays };
  const publicUrl = settings.mode === 'demo' ? undefined : settings.http.publicUrl;

  const seal = createSeal(masterKey);
  const codes = createCodeSeal(masterKey);
  const passwords = createDownloadPasswords(masterKey);
  registerDownloads(app, { ...shared, blobs, seal, passwords, tries: new Allowance(WRONG_DOWNLOADS) });
  const checking = {
    ...shared,
    settingSealing: createSettingSealing(masterKey),
    settingsStates: createSettingsStates(shared),
    ownChanges: createOwnChanges(shared),
  };
  const applySettings = createSettingsApplier(checking);
  const mayAct = (actor: Actor, right: Right, deviceId?: string) => deps.keys.mayAct(database.read, actor, right, deviceId);

  const { rollouts, esims } = openEngines(deps, { ...shared, mayAct }, { codes, passwords, applySettings });

  const findAllowed = (actor: Actor, right: Right) => deps.keys.findAllowed(database.read, actor, right);

  // Calls to the process that holds a router's connection.
  const handing = { ...shared, log, node, channel: deps.channel, readSession: deps.readActor, mayAct };
  const remoteAccess = openRemoteAccess(deps, handing);
  const passwordSealing = createRouterPasswordSealing(masterKey);
  const commandEngine = openCommandEngine(deps, { ...handing, passwordSealing }, applySettings);
  const runs = createCommandRuns({ ...handing, timeouts: timeouts.commands ?? {} });
  const toolCalls = createToolCalls({ ...handing, timeouts: timeouts.commands ?? {} });
  const backupSealing = createBackupSealing(masterKey);
  registerTransfers(app, [createToolAddresses(shared), createBackupAddresses({ ...shared, backupSealing })]);
  registerScim(app, { ...shared, log, isBusy: deps.isBusy, publicUrl });
  const removals = createRemovals({ clock, deviceLink, expiringDays, log, accounts: deps.accounts });
  const bulkJobs = createBulkWorker({ ...shared, log, runs, findAllowed, removals });
  wakeOn(dispatcher, 'jobs', bulkJobs);
  const transport = mailTransport(settings);
  const caller = createWebCaller({ ...settings.webhooks, ...timeouts.webhooks });
  const openLinks = createOpenLinks({ ...shared, findAllowed });
  const needed: NeededByModules = {
    ...shared,
    ...settings.firmware,
    settings,
    organizationEnds,
    masterKey,
    linkKeys: deps.linkKeys,
    pushKey: createServerPushKey(deps.pushKeyPair, origin),
    inBackground,
    origin,
    checkpoints: deps.checkpoints,
    stopping: deps.stopping.signal,
    secure: deps.secure,
    signIn: signInOf(deps, { reader, streams, publicUrl }),
    routerReplaced: async (tx, owner, former, next, now) => {
      await moveStates(tx, owner, former, next, now);
      await closeLeftCounters(tx, [former]);
    },
    routersClaimed: (ids) => esims.examine(ids),
    compareCrossings,
    planActions: { mayAct: deps.keys.mayAct, startCommandJob, lockRouters: lockRoutersOfDevices, switchToOthers },
    openLinks,
    log,
    findStreet: createStreetFinder(
      settings.baseMap.tiles.map(({ path }) => path),
      log,
    ),
    blobs,
    seal,
    codes,
    runs,
    node,
    networks: createNetworks(handing),
    settingSealing: checking.settingSealing,
    runningReader: createRunningReader(handing),
    settingsReader: createSettingsReader({ ...handing, ...checking }),
    settingsEngine: createSettingsEngine({ ...checking, log, node }),
    toolCalls,
    commandEngine,
    backupSealing,
    passwordSealing,
    rotationAlerts: createRotationAlerts(origin),
    checkOwnPassword: deps.accounts.checkOwnPassword,
    operations: () => table.operations,
    replay: (operation, call, steps) => table.repeat(operation, call, steps),
    findAllowed,
    findAllowedIn: deps.keys.findAllowed,
    wakeJobs: () => inBackground(() => bulkJobs.wake()),
    removeFirst: async (scope, job) => inBackground(() => bulkJobs.removeFirst(scope, job)),
    caller,
    countPerson,
    countTestMail,
    transport,
    mailOutcomes: summaryOutcomes,
    mailOrigin: origin,
    publicUrl,
    mailSealing: deps.mailSealing,
    clientTls: deps.clientTls,
    authorities: { sealing: createAuthoritySealing(masterKey), authorityAdded: deps.authorityAdded },
    auditKey: deps.auditKey,
    timed: createTimedReader(reader),
    keptDays: settings.telemetryDays,
    positionDays: settings.positionDays,
    reportSeconds: settings.reportSeconds,
  };
  table.afterFailure = async (error, call) => (error instanceof ApprovalNeeded ? holdCall(needed, error, call) : error);
  const opened = modules.flatMap((module) => module.open(table, needed) ?? []);
  return { opened, rollouts, esims, bulkJobs, remoteAccess, openLinks, transport };
}

type EngineDeps = Parameters<typeof createRolloutEngine>[0] & Parameters<typeof createEsimEngine>[0];
type SharedByEngines = Omit<
  EngineDeps,
  'log' | 'node' | 'wakeOthers' | 'codes' | 'passwords' | 'applySettings' | 'downloads' | 'downloadUrl' | 'timeouts'
>;

/** The engines that bring files and eSIM profiles to routers, at whichever process holds the router. */
function openEngines(
  { settings, log, node, origin, timeouts, channel, dispatcher }: ModuleDeps,
  shared: SharedByEngines,
  { codes, passwords, applySettings }: Pick<EngineDeps, 'codes' | 'passwords' | 'applySettings'>,
): Pick<Modules, 'rollouts' | 'esims'> {
  const parts = { ...shared, log, node };
  const rollouts = createRolloutEngine({
    ...parts,
    applySettings,
    wakeOthers: () => noticeDue('rollouts'),
    passwords,
    downloads: settings.rolloutDownloads,
    downloadUrl: origin,
    timeouts: timeouts.rollouts ?? {},
  });
  const esims = createEsimEngine({ ...parts, codes, wakeOthers: () => noticeDue('esims'), timeouts: timeouts.esims ?? {} });
  const noticeDue = exchangeDue(channel, { rollouts, esims });
  wakeOn(dispatcher, 'rollouts', rollouts);
  wakeOn(dispatcher, 'esims', esims);
  return { rollouts, esims };
}

/** Remote sessions, which end with what they depend on. */
function openRemoteAccess(
  { table, dispatcher, tunnels, nodeName, masterKey, timeouts }: ModuleDeps,
  parts: Omit<Parameters<typeof createRemoteAccess>[0], 'tunnels' | 'nodeName' | 'masterKey' | 'recorders' | 'timeouts'>,
): RemoteAccess {
  const recorders = createRecorders(parts);
  const remoteAccess = createRemoteAccess({
    ...parts,
    tunnels,
    nodeName,
    masterKey,
    recorders,
    timeouts: timeouts.remote ?? {},
  });
  registerRemoteAccessRoutes(table, remoteAccess, parts);
  dispatcher.subscribe((events) => remoteAccess.onEvents(events));
  return remoteAccess;
}

/** The engine of the commands that people send to routers. */
function openCommandEngine(
  { dispatcher, origin, timeouts }: ModuleDeps,
  parts: Omit<Parameters<typeof createCommandEngine>[0], 'composed' | 'timeouts'>,
  applySettings: EngineDeps['applySettings'],
): ReturnType<typeof createCommandEngine> {
  const transferring = { ...parts, origin };
  const engine = createCommandEngine({
    ...parts,
    composed: {
      'apply-settings': async ({ routerId, id }) => toOutcome(await applySettings(routerId, id)),
      'backup-config': (request) => sendBackup(transferring, request),
      'restore-config': (request) => sendRestore(transferring, request),
    },
    timeouts: timeouts.sentCommands ?? {},
  });
  wakeOn(dispatcher, 'commands', engine);
  return engine;
}

/** Wake a worker when a change of its topic is committed. */
function wakeOn(dispatcher: Dispatcher, topic: string, worker: { wake(): void }): void {
  dispatcher.subscribe((events) => {
    if (events.some((event) => event.topic === topic)) worker.wake();
  });
}

function mailTransport({ mail }: Settings): MailTransport {
  return mail.kind === 'smtp' ? createSmtpTransport(mail.url, mail.from) : createFolderTransport(mail.folder, mail.from);
}

type SignIn = NeededByModules['signIn'];

/** Sign-in alone depends on cookies, origins and the demo. */
function signInOf(
  { settings, accounts, ownOrigin, secure }: ModuleDeps,
  parts: Pick<SignIn, 'reader' | 'streams' | 'publicUrl'>,
): SignIn {
  return {
    ...parts,
    service: accounts,
    version,
    demo: settings.mode === 'demo',
    ownOrigin,
    keepSession: (reply, id, vap) => keepSession(reply, secure, id, vap),
    eraseSession: (request, reply) => eraseSentSession(request, reply, secure),
    findHandedOver: async (id, vap, address) => (await accounts.readSession(hashBearer(vap), address))?.accountId === id,
  };
}

/**
 * Notify of every committed change to a main account's data, once per main account and batch, and again once the replica has it: what was read
 * there in between lacks the change.
 */
function changesOf(
  sources: ReadonlySet<Pick<Dispatcher, 'subscribe'>>,
  tenants: Pick<TenantsInUse, 'onReturn'>,
): (listener: (mainAccountId: string) => void) => void {
  return (listener) => {
    tenants.onReturn(listener);
    for (const source of sources)
      source.subscribe((events) => {
        for (const mainAccountId of new Set(events.map((event) => event.mainAccountId)))
          if (mainAccountId !== null) listener(mainAccountId);
      });
  };
}
