import { guard } from '../../kernel/guard.ts';
import { hash } from 'node:crypto';
import { remoteAccess } from '@highline/contract';
import { z } from 'zod';
import { createRemoteCalls, type RemoteCallsDeps } from '../../platform/node-rpc/index.ts';
import { DomainError } from '../../kernel/failure.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { isUnreachable, type DeviceLink } from '../../platform/ports/device-link.ts';
import type { Tunnels } from '../../platform/ports/tunnels.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { recordAudit } from '../logs/index.ts';
import { connect, getTarget, isSubscribed, QUESTION_MS, type Connected, type ConnectDeps, type Declined } from './connect.ts';
import { makeCredentials } from './credentials.ts';
import { createEnds } from './ends.ts';
import {
  defaultRemoteAccessTimeouts,
  type ActiveSession,
  type ActiveSessions,
  type RemoteAccessTimeouts,
} from './live-sessions.ts';
import { recordCredentials } from './remote-access.audit.ts';
import { toConnectionDto, epochSeconds, findCurrent, hasDevice, type RemoteTarget } from './remote-access.queries.ts';
import { markIssued, purgeRemoteSessions } from './remote-access.store.ts';
import { createRouterCommands } from './router-commands.ts';
import { createWatch, type OutboxChange } from './watch.ts';

export interface RemoteAccessDeps extends RemoteCallsDeps {
  readonly deviceLink: DeviceLink;
  readonly tunnels: Tunnels;
  /** Distinguishes this process from others of the same database, and survives a restart. */
  readonly node: string;
  readonly timeouts?: Partial<RemoteAccessTimeouts>;
}

/** The device of a call by its serial number, and the type of access. */
export interface ConnectInput {
  readonly serial: string;
  readonly type: remoteAccess.ConnectionType;
}

export type Secret = { readonly username: string; readonly password: string; readonly expires: number };

/** Remote sessions of this process (RMT rows). */
export interface RemoteAccess {
  connect(scope: OrganizationScope, actor: Actor, input: ConnectInput, caller: AbortSignal): Promise<Connected | Declined>;
  /**
   * Issue credentials for the session that the actor opened: generated for it, sent to the router, returned once (RMT-01,
   * RMT-02).
   * @throws DomainError `not_found`, `remote.not_connected`, `remote.exists` for another user's session, `remote.secret_told`,
   * `remote.no_answer`
   */
  issueCredentials(scope: OrganizationScope, actor: Actor, input: ConnectInput): Promise<Secret>;
  /** End a device's session, of any user (RMT-03). @returns false when there was none */
  cancel(scope: OrganizationScope, actor: Actor, deviceId: string): Promise<boolean>;
  /** The present session of a device (RMT-04). @throws DomainError `not_found` */
  current(scope: OrganizationScope, actor: Actor, deviceId: string): Promise<remoteAccess.Connection | null>;
  /** RMT-06. @throws DomainError `not_found`, `remote.reset_impossible`, `remote.reset_unsupported`, `remote.reset_failed` */
  resetPassword(scope: OrganizationScope, actor: Actor, serial: string): Promise<void>;
  onEvents(events: readonly OutboxChange[]): void;
  readonly jobs: readonly Job[];
  /** Before the first call: end sessions that a crash left open. */
  start(): Promise<void>;
  /** End every session, and notify the routers. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
/** For the transport of an answer, in addition to the other process's time. */
const WAY_MS = 5_000;
const HOUR_MS = 3_600_000;
/** At a stop, for notifying the routers. */
const GOODBYE_MS = 2_000;

/** A call for the process with the router's connection, or with the session's sockets. */
const remotePayload = z.object({
  action: z.enum(['connect', 'secret', 'reset']),
  routerId: z.string(),
  /** The session whose credentials to issue; null for other actions. */
  sessionId: z.string().nullable(),
  serial: z.string(),
  type: z.enum(remoteAccess.connectionTypes),
});
type RemotePayload = z.infer<typeof remotePayload>;

interface Own {
  readonly target: RemoteTarget;
  /** Id of the session. */
  readonly id: string;
  /** Undefined when another process has its sockets. */
  readonly session: ActiveSession | undefined;
}

/** Connects the parts of remote access; nothing runs before its first call. */
export function createRemoteAccess(deps: RemoteAccessDeps): RemoteAccess {
  const { database, clock, deviceLink } = deps;
  const timeouts = { ...defaultRemoteAccessTimeouts, ...deps.timeouts };
  const active: ActiveSessions = new Map();
  const commands = createRouterCommands(deps);
  const ends = createEnds({ ...deps, commands, active });
  const watch = createWatch({ ...deps, ends, active, timeouts });
  const connecting: ConnectDeps = { ...deps, commands, ends, active, timeouts };
  let timer: NodeJS.Timeout | undefined;

  /** From now on no new visitor is accepted; connected ones may finish. */
  const expire = (session: ActiveSession): void => {
    session.isShut = true;
    session.tunnel?.shut();
    void commands.revoke(session);
    if (session.tunnel?.isUsed !== true) ends.endSoon(session, 'expired');
  };

  const grant = async (session: ActiveSession, actor: Actor): Promise<Secret> => {
    const { scope } = session;
    const now = clock.now();
    const expires = new Date(now.getTime() + timeouts.credentialMs);
    const credentials = makeCredentials();
    const answer = await commands.grant(session, { ...credentials, seconds: Math.ceil(timeouts.credentialMs / 1_000) });
    if (answer.type === 'failed') throw new DomainError('remote.no_answer');
    await database.write(async (tx) => {
      if (!(await markIssued(tx, scope, session.id, expires))) throw new DomainError('remote.not_connected');
      await recordCredentials(tx, scope, actor, session, expires, now);
    });
    if (!active.has(session.id)) throw new DomainError('remote.not_connected');
    session.keep?.();
    session.keep = timeouts.after(timeouts.credentialMs, () => expire(session));
    return { ...credentials, expires: epochSeconds(expires) };
  };

  /** The actor's own session of this type, whichever process has its sockets. */
  const findOwn = async (scope: OrganizationScope, actor: Actor, { serial, type }: ConnectInput): Promise<Own> => {
    const target = await getTarget(deps, scope, serial);
    const { deviceId } = target;
    const found = await findCurrent(database.read, scope, deviceId);
    if (found === undefined) throw new DomainError('remote.not_connected');
    if (found.accountId !== actor.accountId) throw new DomainError('remote.exists');
    const session = active.get(found.id);
    if (found.type !== type) throw new DomainError('remote.not_connected');
    if (found.credentialsExpireAt !== null || session?.isIssued === true) throw new DomainError('remote.secret_told');
    return { target, id: found.id, session };
  };

  const issueOwn = async (scope: OrganizationScope, actor: Actor, input: ConnectInput): Promise<Secret> => {
    const { session } = await findOwn(scope, actor, input);
    if (session?.tunnel === undefined) throw new DomainError('remote.not_connected');
    session.isIssued = true;
    try {
      return await grant(session, actor);
    } catch (error) {
      session.isIssued = false;
      void commands.revoke(session);
      throw isUnreachable(error) ? new DomainError('remote.no_answer') : error;
    }
  };

  /** Nothing is sent to a router without this command, and nothing is logged. */
  const requireReset = async ({ routerId }: RemoteTarget): Promise<void> => {
    const isOffered = await commands.offersReset(routerId, QUESTION_MS).catch((error: unknown) => {
      // Without an answer the command itself will show it.
      if (isUnreachable(error)) return true;
      throw error;
    });
    if (!isOffered) throw new DomainError('remote.reset_unsupported');
  };

  const reset = async (scope: OrganizationScope, actor: Actor, target: RemoteTarget): Promise<void> => {
    await requireReset(target);
    try {
      await commands.resetPassword(target.routerId);
    } catch (error) {
      // A router that gave no answer may have done it anyway: the attempt is logged either way.
      await recordReset(deps, scope, actor, target, 'failed');
      throw error;
    }
    await recordReset(deps, scope, actor, target, 'done');
  };

  const remoteCalls = createRemoteCalls<RemotePayload>(deps, {
    name: 'remote',
    shape: remotePayload,
    timeouts: { claimMs: timeouts.claimMs, answerMs: timeouts.answerMs + WAY_MS },
    silent: 'remote.no_answer',
    isHere: ({ action, routerId, sessionId }) =>
      action === 'secret' ? active.has(sessionId ?? '') : deviceLink.isConnected(routerId),
    async execute({ scope, actor, payload }, gone) {
      if (payload.action === 'connect') return connect(connecting, scope, actor, payload, gone);
      if (payload.action === 'secret') return issueOwn(scope, actor, payload);
      await reset(scope, actor, await getTarget(deps, scope, payload.serial));
      return null;
    },
    async undo({ scope, actor, payload: { action, serial } }) {
      if (action !== 'connect') return;
      const { deviceId } = await getTarget(deps, scope, serial);
      const found = await findCurrent(database.read, scope, deviceId);
      if (found?.accountId === actor.accountId) await ends.end({ id: found.id, scope }, 'aborted');
    },
  });
  /** Connected, but to another process. */
  const isElsewhere = ({ isOnline, routerId }: RemoteTarget) => isOnline && !deviceLink.isConnected(routerId);

  return {
    async connect(scope, actor, input, caller) {
      const target = await getTarget(deps, scope, input.serial);
      if (!isElsewhere(target)) return connect(connecting, scope, actor, input, caller);
      const payload = { ...input, action: 'connect', routerId: target.routerId, sessionId: null } as const;
      return remoteCalls.request({ scope, actor, payload }, target.deviceId, 'remote.offline', caller);
    },

    async issueCredentials(scope, actor, input) {
      const { target, id, session } = await findOwn(scope, actor, input);
      if (session !== undefined) return issueOwn(scope, actor, input);
      const payload = { ...input, action: 'secret', routerId: target.routerId, sessionId: id } as const;
      return remoteCalls.request({ scope, actor, payload }, target.deviceId, 'remote.not_connected');
    },

    async cancel(scope, actor, deviceId) {
      if (!(await hasDevice(database.read, scope, deviceId))) throw new DomainError('not_found', { field: 'device' });
      const found = await findCurrent(database.read, scope, deviceId);
      return found !== undefined && ends.end({ id: found.id, scope }, 'cancelled', actor);
    },

    async current(scope, actor, deviceId) {
      if (!(await hasDevice(database.read, scope, deviceId))) throw new DomainError('not_found', { field: 'device' });
      const found = await findCurrent(database.read, scope, deviceId);
      return found === undefined ? null : toConnectionDto(found, actor);
    },

    async resetPassword(scope, actor, serial) {
      const target = await getTarget(deps, scope, serial);
      if (!target.isOnline || !isSubscribed(target, clock.now())) throw new DomainError('remote.reset_impossible');
      if (!isElsewhere(target)) return reset(scope, actor, target);
      const payload = { action: 'reset', serial, type: 'gui', routerId: target.routerId, sessionId: null } as const;
      await remoteCalls.request({ scope, actor, payload }, target.deviceId, 'remote.reset_impossible');
    },

    onEvents(events) {
      watch.onEvents(events);
      remoteCalls.onEvents(events);
    },
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
      await Promise.race([ends.idle(), new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
    },
  };
}

async function recordReset(
  { database, clock }: RemoteAccessDeps,
  scope: OrganizationScope,
  actor: Actor,
  { deviceId, serial }: RemoteTarget,
  outcome: 'done' | 'failed',
): Promise<void> {
  const action =
    outcome === 'done' ? `Reset the password of device ${serial}` : `Tried to reset the password of device ${serial}`;
  await database.write(async (tx) => {
    await announce(tx, scope, 'remote', [deviceId]);
    const event = { action, subject: { kind: 'device', id: deviceId }, detail: { serial, outcome } };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

/** The name of a process: the same after a restart, different on another machine or with another folder. */
export function nodeName(host: string, dataDir: string): string {
  return hash('sha256', `${host}\n${dataDir}`).slice(0, 16);
}
