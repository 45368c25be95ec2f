import type { remoteAccess } from '@highline/contract';
import { DomainError, required, newId, sanitizeLine, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { OperationOutcome, Entrance, Tunnel } from '../../platform/ports/index.ts';
import { rejectAbsent, rejectByRule, toTunnelClient } from './clients/request.ts';
import { rejectUnavailable, type ConnectDeps, type ConnectInput } from './connection-failures.ts';
import { toActiveSession, type ActiveSession } from './live-sessions.ts';
import { recordOpened } from './remote-access.audit.ts';
import { findRemoteTarget, type RemoteTarget } from './remote-access.queries.ts';
import { insertRemoteSession, markSeen } from './remote-access.store.ts';

/** The router rejected the request, with its own message. */
class RejectedByRouter extends Error {
  override readonly name = 'RejectedByRouter';
}

/** @property certificate SHA-256 of what a client showed; null: none */
export type Connected = { readonly statusCode: 200; readonly certificate?: string | null } & Entrance;
/** A rejection with the router's own message, sanitized. */
export type Declined = { readonly statusCode: 502; readonly url: ''; readonly port: 0; readonly statusMsg: string };

/**
 * A living device of the organization.
 * @throws DomainError `not_found`
 */
export async function getTarget(
  { database }: Pick<ConnectDeps, 'database'>,
  scope: OrganizationScope,
  serial: string,
): Promise<RemoteTarget> {
  return required(await findRemoteTarget(database.read, scope, serial), 'not_found', { field: 'serial' });
}

/**
 * Open a session to a router (RMT-01, RMT-07): reserve its one slot, make it connect out to us, and accept visitors.
 * @param caller aborts when the caller no longer waits for the response; then nothing is left open
 * @throws DomainError `not_found`, `remote.not_subscribed`, `remote.no_subscription`, `remote.offline`, `remote.no_domain`, `remote.no_ports`,
 * `remote.exists`, `remote.unsupported`, `remote.busy`, `remote.no_answer`
 */
export async function connect(
  deps: ConnectDeps,
  scope: OrganizationScope,
  actor: Actor,
  { serial, type, client, isTerminal }: ConnectInput,
  caller: AbortSignal,
): Promise<Connected | Declined> {
  const target = await getTarget(deps, scope, serial);
  if (client !== undefined) await rejectByRule(deps, scope, actor, client);
  await rejectUnavailable(deps, scope, target, { type, client, isTerminal });
  if (client !== undefined) await rejectAbsent(deps, scope, target, client);
  const session = toActiveSession({ id: newId(), ...target, type, client: client?.target ?? null }, scope, actor);
  // Before its row is written: a call that finds the row must find the session too.
  deps.active.set(session.id, session);
  try {
    await claimSession(deps, session);
  } catch (error) {
    deps.active.delete(session.id);
    throw error;
  }
  try {
    const entrance = await openWay(deps, session, caller, { client, isTerminal });
    return { statusCode: 200, ...entrance, ...(client !== undefined && { certificate: session.certificate }) };
  } catch (error) {
    // If it was ended meanwhile, that end has its own reason.
    if (!session.over.signal.aborted) await deps.ends.end(session, endOf(error, caller));
    if (error instanceof RejectedByRouter) return { statusCode: 502, url: '', port: 0, statusMsg: error.message };
    const isOwn = error instanceof DomainError && (error.key === 'remote.busy' || error.key === 'client.no_answer');
    throw isOwn ? error : new DomainError('remote.no_answer');
  }
}

/** @throws DomainError `remote.exists` for the second of two callers, `not_found`, `session.invalid` */
async function claimSession({ database, clock, nodeName: node }: ConnectDeps, session: ActiveSession): Promise<void> {
  const { scope, opener } = session;
  const now = clock.now();
  await database.write(async (tx) => {
    await markSeen(tx, node, now);
    const outcome = await insertRemoteSession(tx, scope, session, { opener, node }, now);
    if (outcome === 'exists') throw new DomainError('remote.exists');
    if (outcome === 'gone') throw new DomainError('not_found', { field: 'serial' });
    if (outcome === 'signed-out') throw new DomainError('session.invalid');
    await recordOpened(tx, scope, opener, session, now);
  });
}

/** @returns of a terminal, `Tunnels.address` @throws RejectedByRouter, DomainError `remote.busy`, and the reason of an aborted signal */
async function openWay(
  { tunnels, commands, ends, active, timeouts }: ConnectDeps,
  session: ActiveSession,
  caller: AbortSignal,
  { client, isTerminal }: Pick<ConnectInput, 'client' | 'isTerminal'>,
): Promise<Entrance> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeouts.responseMs), session.over.signal, caller]);
  const expected = tunnels.expect(session.id, session.type, signal, client && toTunnelClient(client));
  const { secret } = expected;
  // At once: when the request fails afterwards, the end of the session must find the tunnel.
  const arrived = expected.arrived.then((tunnel) => {
    session.tunnel = tunnel;
    if (signal.aborted) tunnel.close();
    return tunnel;
  });
  const order = { address: tunnels.address(), secret, hostKey: tunnels.hostKey };
  // Some routers connect before they answer, some after; one that rejects the request does not connect at all.
  const tunnelRequest = commands.openTunnel(session, order, timeouts.responseMs).then(rejectFailed);
  const [tunnel] = await Promise.all([arrived, untilAborted(tunnelRequest, signal)]);
  signal.throwIfAborted();
  void tunnel.ended.then(() => active.has(session.id) && ends.endSoon(session, 'tunnel-lost'));
  if (client !== undefined) session.certificate = await untilAborted(probe(tunnel), signal);
  const entrance = isTerminal === true ? { url: tunnels.address(), port: 0 } : await tunnel.open();
  signal.throwIfAborted();
  const onTime = () => (client === undefined ? ends.endSoon(session, 'expired') : expire({ commands, ends }, session));
  session.keep = timeouts.after(timeouts.credentialMs, onTime);
  return entrance;
}

/** @throws DomainError `client.no_answer` */
async function probe(tunnel: Tunnel): Promise<string | null> {
  try {
    return await tunnel.probe();
  } catch {
    throw new DomainError('client.no_answer');
  }
}

/** From now on no new visitor is accepted; connected ones may finish. */
export function expire({ commands, ends }: Pick<ConnectDeps, 'commands' | 'ends'>, session: ActiveSession): void {
  session.isShut = true;
  session.tunnel?.shut();
  if (session.client === null) void commands.revoke(session);
  if (session.tunnel?.isUsed !== true) ends.endSoon(session, 'expired');
}

function rejectFailed(response: OperationOutcome): OperationOutcome {
  if (response.type !== 'failed') return response;
  throw new RejectedByRouter(sanitizeLine(response.message) ?? 'The router rejected the connection.');
}

/** The result of `work`; rejects with the reason of a signal that aborts before. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject);
  });
}

function endOf(error: unknown, caller: AbortSignal): remoteAccess.EndReason {
  if (caller.aborted) return 'aborted';
  if (error instanceof RejectedByRouter) return 'rejected';
  return error instanceof DomainError && error.key === 'remote.busy' ? 'busy' : 'no-answer';
}
