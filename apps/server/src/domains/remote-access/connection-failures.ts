import { hasEnded, subscriptionState, type remoteAccess } from '@highline/contract';
import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { unreachableAs } from '../../platform/ports/index.ts';
import type { RequestedClient } from './clients/request.ts';
import type { Ends } from './ends.ts';
import type { ActiveSessions, RemoteAccessTimeouts } from './live-sessions.ts';
import { findCurrent, type RemoteTarget } from './remote-access.queries.ts';
import type { RouterCommands } from './router-commands.ts';

export interface ConnectDeps extends Pick<Deps, 'database' | 'clock' | 'tunnels' | 'deviceLink'> {
  readonly commands: RouterCommands;
  readonly ends: Ends;
  readonly active: ActiveSessions;
  readonly timeouts: RemoteAccessTimeouts;
  /** This process. */
  readonly nodeName: string;
}

/** The device of a call by its serial number, and the type of access. */
export interface ConnectInput {
  readonly serial: string;
  readonly type: remoteAccess.ConnectionType;
  /** What to open behind the router; left out: the router itself. */
  readonly client?: RequestedClient | undefined;
  /** For a terminal in the browser, which needs no port. */
  readonly isTerminal?: boolean | undefined;
}

/** The most sessions of one process at a time. */
const MOST_HELD = 500;

/** Timeout for reading the capabilities of a router. */
export const QUESTION_MS = 5_000;

/** Whether a session may be opened on the day of this time. */
export function isSubscribed({ startedOn, expiresOn }: Pick<RemoteTarget, 'startedOn' | 'expiresOn'>, now: Date): boolean {
  return subscriptionState(startedOn, expiresOn, now) !== 'not-subscribed';
}

/** @throws DomainError `ended` after the end of a subscription, `remote.no_subscription` before it begins or while there is none */
export function rejectUnsubscribed(
  target: Pick<RemoteTarget, 'startedOn' | 'expiresOn'>,
  now: Date,
  ended: 'remote.not_subscribed' | 'remote.reset_impossible',
): void {
  if (isSubscribed(target, now)) return;
  throw new DomainError(hasEnded(target.expiresOn, now) ? ended : 'remote.no_subscription');
}

/** @throws DomainError when no session can be opened now, as `connect` */
export async function rejectUnavailable(
  { database, clock, tunnels, commands, active }: ConnectDeps,
  scope: OrganizationScope,
  target: RemoteTarget,
  { type, client, isTerminal }: Pick<ConnectInput, 'type' | 'client' | 'isTerminal'>,
): Promise<void> {
  rejectUnsubscribed(target, clock.now(), 'remote.not_subscribed');
  if (!target.isOnline) throw new DomainError('remote.offline');
  if (type === 'gui' && !tunnels.hasPages) throw new DomainError('remote.no_domain');
  if (type === 'ssh' && isTerminal !== true && !tunnels.hasPorts) throw new DomainError('remote.no_ports');
  if ((await findCurrent(database.read, scope, target.deviceId)) !== undefined) throw new DomainError('remote.exists');
  if (active.size >= MOST_HELD) throw new DomainError('remote.busy');
  const isOffered = await offersTunnels(commands, target.routerId, client === undefined ? 'router' : 'clients');
  if (!isOffered) throw new DomainError(client === undefined ? 'remote.unsupported' : 'client.unsupported');
}

/** @throws DomainError `remote.offline`, `remote.no_answer` */
export async function offersTunnels(
  commands: Pick<RouterCommands, 'offersTunnels'>,
  routerId: string,
  to: 'router' | 'clients',
): Promise<boolean> {
  try {
    return await commands.offersTunnels(routerId, to, QUESTION_MS);
  } catch (error) {
    throw unreachableAs('remote', error);
  }
}
