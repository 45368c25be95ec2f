import { remoteAccess, remoteClients } from '@highline/contract';
import { isAllowedByRole } from '../../kernel/rights.ts';
import type { Actor } from '../../kernel/scope.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { seesDevice } from '../accounts/index.ts';
import { readReportedNetworks } from '../networks/index.ts';
import { readAuthorizations } from './authorizations.queries.ts';
import { readClientRule } from './clients/client-rule.queries.ts';
import { rejectionOf } from './clients/client-rule.ts';
import { rejectionOfClient } from './clients/find-client.ts';
import { endReasonOf } from './end-reasons.ts';
import type { Ends } from './ends.ts';
import type { ActiveSession, ActiveSessions, RemoteAccessTimeouts } from './live-sessions.ts';
import { listAbandoned, listOwn } from './open-sessions.store.ts';
import { markSeen, writeTraffic } from './remote-access.store.ts';

export interface WatchDeps extends Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink'> {
  readonly ends: Ends;
  readonly active: ActiveSessions;
  readonly timeouts: RemoteAccessTimeouts;
  readonly nodeName: string;
  /** The present user of a sign-in; undefined when it has ended. */
  readonly readSession: (sessionId: string, address: string) => Promise<Actor | undefined>;
}

/** The topic and subject of an event. */
export interface OutboxChange {
  readonly mainAccountId: string | null;
  readonly topic: string;
  readonly ids: readonly string[];
}

export interface Watch {
  /** Handle committed events; sessions that depend on them end within a moment. */
  onEvents(events: readonly OutboxChange[]): void;
  /** End sessions by timeout. */
  tick(): void;
  /** Check for changes without an event, write signs of life, and end sessions of dead processes. */
  run(now: Date): Promise<void>;
  /** At a start: end sessions of this process's name, because their sockets no longer exist. */
  endLeftOvers(): Promise<void>;
}

/** Everything a session depends on; events of other topics are ignored. */
const TOPICS: ReadonlySet<string> = new Set(['accounts', 'organizations', 'devices', 'remote']);
/** A process without a sign of life for this time is dead. */
const SILENCE_MS = 60_000;
/** The least time between checks when many changes arrive. */
const CALM_MS = 200;

/** Ends sessions when something they depend on ends: sign-in, role, device, subscription. */
export function createWatch(deps: WatchDeps): Watch {
  const { database, clock, log, ends, active, timeouts, nodeName: node } = deps;
  let isDue = false;
  let isLooking = false;

  const lookAll = async (): Promise<void> => {
    // Without a tunnel, its row may not be written yet: the event of that write leads here again.
    const sessions = Array.from(active.values(), (session) => ({ session, mayBeUnwritten: session.tunnel === undefined }));
    if (sessions.length === 0) return;
    const authorizations = new Map(
      (
        await readAuthorizations(
          database.read,
          sessions.map(({ session }) => session),
        )
      ).map((authorization) => [authorization.id, authorization]),
    );
    for (const { session, mayBeUnwritten } of sessions) {
      const authorization = authorizations.get(session.id);
      if (authorization === undefined && mayBeUnwritten) continue;
      const reason =
        endReasonOf(authorization, clock.now(), timeouts) ??
        (await endByOpener(deps, session)) ??
        (await endByRule(deps, session));
      if (reason !== undefined && active.has(session.id)) ends.endSoon(session, reason);
    }
  };

  const ofClients = () => [...active.values()].filter(({ client, tunnel }) => client !== null && tunnel !== undefined);

  /** Bytes of sessions to clients, and whether these are still at their addresses. */
  const lookAtClients = async (): Promise<void> => {
    const sessions = ofClients();
    if (sessions.length === 0) return;
    await database.write(async (tx) => {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      for (const { id, scope, tunnel } of sessions) await writeTraffic(tx, scope, id, tunnel!.traffic);
    });
    await Promise.all(
      sessions.map(async (session) => {
        const hasMoved = await hasClientMoved(deps, session);
        if (hasMoved && active.has(session.id)) ends.endSoon(session, 'client-moved');
      }),
    );
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (isDue) {
      isDue = false;
      await lookAll().catch((error: unknown) => {
        log.warn({ err: error }, 'Failed to read remote sessions; it will be retried.');
      });
      await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    }
    isLooking = false;
  };

  const endLost = async (): Promise<void> => {
    // An end that is being written knows its actor, and must not be overtaken.
    for (const session of await listOwn(database.read, node))
      if (!active.has(session.id) && !ends.isEnding(session.id))
        await ends.end(session, ends.reasonOf(session.id) ?? 'server-restarted');
  };

  return {
    onEvents(events) {
      const sessions = [...active.values()];
      if (!events.some((event) => sessions.some((session) => concerns(event, session)))) return;
      isDue = true;
      void look();
    },
    tick() {
      for (const session of active.values()) {
        const reason = endByClock(session, timeouts);
        if (reason !== undefined) ends.endSoon(session, reason);
      }
    },
    async run(now) {
      if (active.size > 0) await database.write((tx) => markSeen(tx, node, now));
      await lookAll();
      await lookAtClients();
      await endLost();
      for (const session of await listAbandoned(database.read, new Date(now.getTime() - SILENCE_MS)))
        if (!active.has(session.id)) await ends.end(session, 'server-restarted');
    },
    endLeftOvers: endLost,
  };
}

function concerns({ topic, mainAccountId, ids }: OutboxChange, session: ActiveSession): boolean {
  if (!TOPICS.has(topic) || mainAccountId !== session.scope.mainAccountId) return false;
  const isOfDevices = topic === 'devices' || topic === 'remote';
  return !isOfDevices || ids.length === 0 || ids.includes(session.deviceId);
}

async function endByOpener(
  { readSession, database }: WatchDeps,
  { client, opener, scope, deviceId }: ActiveSession,
): Promise<remoteAccess.EndReason | undefined> {
  // A database outage does not end a sign-in.
  const actor = await readSession(opener.sessionId, opener.address).catch(() => opener);
  if (actor === undefined) return 'signed-out';
  const isAllowed =
    actor.role === opener.role &&
    isAllowedByRole(actor, client === null ? remoteAccess.connectDevice : remoteClients.openClient) &&
    actor.organizationId === scope.organizationId &&
    // A database outage does not move a device either.
    (await seesDevice(database.read, actor.limit, deviceId).catch(() => true));
  return isAllowed ? undefined : 'permission-lost';
}

/** An organization may change what it allows of clients while one is open. */
async function endByRule(
  { database, log }: WatchDeps,
  { client, opener, scope, id }: ActiveSession,
): Promise<remoteAccess.EndReason | undefined> {
  if (client === null) return undefined;
  try {
    return rejectionOf(await readClientRule(database.read, scope), opener.role, client) && 'rule-changed';
  } catch (error) {
    log.warn({ err: error, session: id }, 'Failed to read what is allowed of clients; it will be retried.');
    return undefined;
  }
}

/** The router is read for it; if it does not answer, nothing is known. */
async function hasClientMoved(
  { database, deviceLink, log }: WatchDeps,
  { client, scope, routerId, deviceId, id }: ActiveSession,
): Promise<boolean> {
  if (client === null) return false;
  try {
    await deviceLink.refresh(routerId, 'clients');
    return rejectionOfClient(await readReportedNetworks(database.read, scope, { routerId, deviceId }), client) !== undefined;
  } catch (error) {
    log.debug({ err: error, session: id }, 'Failed to read whether a client is still there; it will be retried.');
    return false;
  }
}

function endByClock(
  { begunAt, tunnel, isShut }: ActiveSession,
  timeouts: RemoteAccessTimeouts,
): remoteAccess.EndReason | undefined {
  if (performance.now() - begunAt >= timeouts.mostMs) return 'time-limit';
  if (tunnel === undefined) return undefined;
  if (tunnel.quietMs >= timeouts.idleMs) return 'idle';
  return isShut && !tunnel.isUsed ? 'expired' : undefined;
}
