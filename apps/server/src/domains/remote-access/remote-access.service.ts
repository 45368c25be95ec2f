import { guard } from '../../kernel/guard.ts';
import { remoteAccess, remoteClients } from '@highline/contract';
import { z } from 'zod';
import { createRemoteCalls, type RemoteCalls, type RemoteCallsDeps } from '../../platform/node-rpc/index.ts';
import { DomainError } from '../../kernel/failure.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import type { MasterKey } from '../../kernel/sealing.ts';
import { createClientAccess, type ClientRequest, type ClientSignIn } from './clients/client-access.ts';
import { offersTunnels, rejectUnsubscribed, type ConnectInput } from './connection-failures.ts';
import { getTarget, untilAborted, type Connected, type Declined } from './connect.ts';
import { createEnds } from './ends.ts';
import { getOwnSession, issueCredentials, type Secret } from './issue-credentials.ts';
import { defaultRemoteAccessTimeouts, type ActiveSessions, type RemoteAccessTimeouts } from './live-sessions.ts';
import {
  type CurrentSession,
  toConnectionDto,
  findCurrent,
  findSessionNode,
  hasDevice,
  type RemoteTarget,
} from './remote-access.queries.ts';
import { purgeRemoteSessions } from './remote-access.store.ts';
import type { Recorders } from '../recordings/index.ts';
import { resetPassword } from './reset-password.ts';
import { connectWithSecret, issueAhead, type AheadDeps } from './secrets-ahead.ts';
import { createRouterCommands } from './router-commands.ts';
import { createTerminals, type OpenedTerminal } from './terminals.ts';
import { createWatch, type OutboxChange } from './watch.ts';

export interface RemoteAccessDeps extends RemoteCallsDeps, Pick<Deps, 'clock' | 'deviceLink' | 'tunnels'> {
  /** Distinguishes this process from others of the same database, and survives a restart. */
  readonly nodeName: string;
  readonly masterKey: MasterKey;
  readonly recorders: Recorders;
  readonly timeouts?: Partial<RemoteAccessTimeouts>;
}

/** Remote sessions of this process (RMT rows). */
export interface RemoteAccess {
  connect(scope: OrganizationScope, actor: Actor, input: ConnectInput, caller: AbortSignal): Promise<Connected | Declined>;
  /**
   * Issue credentials for the session that the actor opened: generated for it, sent to the router, returned once (RMT-01,
   * RMT-02). Before it is opened: those of the session that the actor opens within 30 s.
   * @throws DomainError `not_found`, the errors of `connect`, `remote.exists` for another user's session, `remote.secret_told`,
   * `remote.no_answer`
   */
  issueCredentials(scope: OrganizationScope, actor: Actor, input: ConnectInput): Promise<Secret>;
  /** Open a session for a terminal in the browser (LIV-07). @throws DomainError as `connect` and `issueCredentials` */
  openTerminal(scope: OrganizationScope, actor: Actor, serial: string, caller: AbortSignal): Promise<OpenedTerminal>;
  /**
   * Open a session to a client of the vehicle's network (LIV-08).
   * @throws DomainError as `connect`, and `client.…`
   */
  openClient(scope: OrganizationScope, actor: Actor, request: ClientRequest, caller: AbortSignal): Promise<Connected | Declined>;
  /** The same for a terminal in the browser, with a sign-in of the client. */
  openClientTerminal(
    scope: OrganizationScope,
    actor: Actor,
    request: ClientRequest & ClientSignIn,
    caller: AbortSignal,
  ): Promise<OpenedTerminal>;
  /** Whether the actor can open clients of a device now. @throws DomainError `not_found` */
  clientAccess(scope: OrganizationScope, actor: Actor, deviceId: string): Promise<remoteClients.ClientAccess>;
  /** End the session to a client of a device: the actor's own, for an admin of any user. @returns false when there was none @throws DomainError `not_found` */
  endClient(scope: OrganizationScope, actor: Actor, deviceId: string): Promise<boolean>;
  /** End a device's session, of any user (RMT-03). @returns false when there was none */
  cancel(scope: OrganizationScope, actor: Actor, deviceId: string): Promise<boolean>;
  /** The present session of a device (RMT-04). @throws DomainError `not_found` */
  current(scope: OrganizationScope, actor: Actor, deviceId: string): Promise<remoteAccess.Connection | null>;
  /** The types of sessions that users can open by Connect. */
  types(): remoteAccess.ConnectionType[];
  /** RMT-06. @throws DomainError `not_found`, `remote.no_subscription`, `remote.reset_impossible`, `remote.reset_unsupported`, `remote.reset_failed` */
  resetPassword(scope: OrganizationScope, actor: Actor, serial: string): Promise<void>;
  onEvents(events: readonly OutboxChange[]): void;
  /** Main accounts whose events may end a session here. */
  tenants(): string[];
  readonly jobs: readonly Job[];
  /** Before the first call: end sessions that a crash left open. */
  start(): Promise<void>;
  /** End every session, and notify the routers. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
/** For the transport of a response, in addition to the other process's time. */
const WAY_MS = 5_000;
const HOUR_MS = 3_600_000;
/** At a stop, for notifying the routers. */
const GOODBYE_MS = 2_000;

/** A call for the process with the router's connection, or with the session's sockets. */
const remotePayload = z.object({
  action: z.enum(['connect', 'secret', 'ahead', 'reset', 'offers-clients', 'end']),
  routerId: z.string(),
  /** The session whose credentials to issue, or which to end; null for other actions. */
  sessionId: z.string().nullable(),
  serial: z.string(),
  type: z.enum(remoteAccess.connectionTypes),
  client: z.object({ target: remoteClients.clientTarget, from: z.string() }).optional(),
  isTerminal: z.boolean().optional(),
});
type RemotePayload = z.infer<typeof remotePayload>;

/** Whether a call is for the process with the session's sockets. */
const isOfSession = (action: RemotePayload['action']): boolean => action === 'secret' || action === 'end';

/** Connects the parts of remote access; nothing runs before its first call. */
export function createRemoteAccess(deps: RemoteAccessDeps): RemoteAccess {
  const { database, clock, deviceLink } = deps;
  const timeouts = { ...defaultRemoteAccessTimeouts, ...deps.timeouts };
  const active: ActiveSessions = new Map();
  const commands = createRouterCommands(deps);
  const ends = createEnds({ ...deps, commands, active });
  const watch = createWatch({ ...deps, ends, active, timeouts });
  const connecting: AheadDeps = { ...deps, commands, ends, active, timeouts, ahead: new Map() };
  let timer: NodeJS.Timeout | undefined;

  const remoteCalls = createCalls(deps, connecting);
  /** Connected, but to another process. */
  const isElsewhere = ({ isOnline, routerId }: RemoteTarget) => isOnline && !deviceLink.isConnected(routerId);

  /** One to a client in the process with its sockets, which alone knows their bytes; here if that one does not answer in time. */
  const endSession = async (scope: OrganizationScope, actor: Actor, { id, client }: CurrentSession): Promise<boolean> => {
    const endHere = () => ends.end({ id, scope }, 'cancelled', actor);
    if (client === null || active.has(id)) return endHere();
    const limit = AbortSignal.timeout(timeouts.claimMs);
    const payload = { action: 'end', serial: '', type: 'ssh', routerId: '', sessionId: id } as const;
    const request = remoteCalls.request<boolean>({ scope, actor, payload }, 'remote.not_connected', limit);
    return untilAborted(request, limit).catch(endHere);
  };

  const access: RemoteAccess = {
    async connect(scope, actor, input, caller) {
      const target = await getTarget(deps, scope, input.serial);
      if (!isElsewhere(target)) return connectWithSecret(connecting, scope, actor, input, caller);
      const payload = { ...input, action: 'connect', routerId: target.routerId, sessionId: null } as const;
      return remoteCalls.request({ scope, actor, payload }, 'remote.offline', caller);
    },

    async issueCredentials(scope, actor, input) {
      const device = await getTarget(deps, scope, input.serial);
      if ((await findCurrent(database.read, scope, device.deviceId)) === undefined) {
        if (!isElsewhere(device)) return issueAhead(connecting, scope, actor, input);
        const payload = { ...input, action: 'ahead', routerId: device.routerId, sessionId: null } as const;
        return remoteCalls.request({ scope, actor, payload }, 'remote.offline');
      }
      const { target, id, session } = await getOwnSession(connecting, scope, actor, input);
      if (session !== undefined) return issueCredentials(connecting, scope, actor, input);
      const payload = { ...input, action: 'secret', routerId: target.routerId, sessionId: id } as const;
      return remoteCalls.request({ scope, actor, payload }, 'remote.not_connected');
    },

    openTerminal: (scope, actor, serial, caller) => terminals.open(scope, actor, serial, caller),

    openClient: (scope, actor, request, caller) => clients.open(scope, actor, request, caller),
    openClientTerminal: (scope, actor, request, caller) => clients.openTerminal(scope, actor, request, caller),
    clientAccess: (scope, actor, deviceId) => clients.access(scope, actor, deviceId),
    endClient: (scope, actor, deviceId) => clients.end(scope, actor, deviceId),

    async cancel(scope, actor, deviceId) {
      if (!(await hasDevice(database.read, scope, deviceId))) throw new DomainError('not_found', { field: 'device' });
      const found = await findCurrent(database.read, scope, deviceId);
      return found !== undefined && endSession(scope, actor, found);
    },

    async current(scope, actor, deviceId) {
      if (!(await hasDevice(database.read, scope, deviceId))) throw new DomainError('not_found', { field: 'device' });
      const found = await findCurrent(database.read, scope, deviceId);
      return found === undefined ? null : toConnectionDto(found, actor);
    },

    types: () => remoteAccess.connectionTypes.filter((type) => (type === 'ssh' ? deps.tunnels.hasPorts : deps.tunnels.hasPages)),

    async resetPassword(scope, actor, serial) {
      const target = await getTarget(deps, scope, serial);
      rejectUnsubscribed(target, clock.now(), 'remote.reset_impossible');
      if (!target.isOnline) throw new DomainError('remote.reset_impossible');
      if (!isElsewhere(target)) return resetPassword(connecting, scope, actor, target);
      const payload = { action: 'reset', serial, type: 'gui', routerId: target.routerId, sessionId: null } as const;
      await remoteCalls.request({ scope, actor, payload }, 'remote.reset_impossible');
    },

    onEvents: (events) => watch.onEvents(events),
    tenants: () => Array.from(active.values(), ({ scope }) => scope.mainAccountId),
    jobs: [
      { name: 'remote sessions', everyMs: timeouts.watchMs, run: (now) => watch.run(now) },
      { name: 'ended remote sessions', everyMs: HOUR_MS, run: (now) => purgeRemoteSessions(database, now) },
    ],
    async start() {
      await watch.endLeftOvers();
      timer = setInterval(
        guard(
          deps.log,
          () => {},
          () => watch.tick(),
        ),
        TICK_MS,
      );
    },
    async stop() {
      clearInterval(timer);
      for (const session of active.values()) ends.endSoon(session, 'server-stopped');
      const written = Promise.all([ends.idle(), deps.recorders.stop()]);
      await Promise.race([written, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
    },
  };
  const { connect, issueCredentials: issue } = access;
  const terminals = createTerminals({ ...deps, ends, active, connect, issueCredentials: issue });
  const clients = createClientAccess({
    ...deps,
    endSession,
    connect,
    terminals,
    async offersClients({ scope, actor }, { routerId, serial, ...target }) {
      if (!isElsewhere({ routerId, serial, ...target })) return offersTunnels(commands, routerId, 'clients');
      const payload = { action: 'offers-clients', serial, type: 'ssh', routerId, sessionId: null } as const;
      return remoteCalls.request({ scope, actor, payload }, 'remote.offline');
    },
  });
  deps.tunnels.serveTerminals((ticket) => terminals.admit(ticket));
  return access;
}

/** Calls between the process of a request and the one with the router's connection, or with the session's sockets. */
function createCalls(deps: RemoteAccessDeps, connecting: AheadDeps): RemoteCalls<RemotePayload> {
  const { active, ends, timeouts } = connecting;
  return createRemoteCalls<RemotePayload>(deps, {
    name: 'remote',
    shape: remotePayload,
    timeouts: { claimMs: timeouts.claimMs, responseMs: timeouts.responseMs + WAY_MS },
    silent: 'remote.no_answer',
    async findNode({ scope, payload: { action, sessionId, serial } }) {
      if (isOfSession(action)) return findSessionNode(deps.database.read, scope, sessionId ?? '');
      return (await getTarget(deps, scope, serial)).heldBy ?? undefined;
    },
    isHere: ({ action, routerId, sessionId }) =>
      isOfSession(action) ? active.has(sessionId ?? '') : deps.deviceLink.isConnected(routerId),
    async execute({ scope, actor, payload }, gone) {
      if (payload.action === 'connect') return connectWithSecret(connecting, scope, actor, payload, gone);
      if (payload.action === 'ahead') return issueAhead(connecting, scope, actor, payload);
      if (payload.action === 'secret') return issueCredentials(connecting, scope, actor, payload);
      if (payload.action === 'end') return ends.end({ id: payload.sessionId ?? '', scope }, 'cancelled', actor);
      if (payload.action === 'offers-clients') return offersTunnels(connecting.commands, payload.routerId, 'clients');
      await resetPassword(connecting, scope, actor, await getTarget(deps, scope, payload.serial));
      return null;
    },
    async undo({ scope, actor, payload: { action, serial } }) {
      if (action !== 'connect') return;
      const { deviceId } = await getTarget(deps, scope, serial);
      const found = await findCurrent(deps.database.read, scope, deviceId);
      if (found?.accountId === actor.accountId) await ends.end({ id: found.id, scope }, 'aborted');
    },
  });
}
