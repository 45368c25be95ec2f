import { type Actor, DomainError, epochSeconds, type OrganizationScope, required } from '../../kernel/index.ts';
import { isUnreachable } from '../../platform/ports/device-link.ts';
import { type ConnectDeps, type ConnectInput } from './connection-failures.ts';
import { expire, getTarget } from './connect.ts';
import { makeCredentials } from './credentials.ts';
import type { ActiveSession } from './live-sessions.ts';
import { recordCredentials } from './remote-access.audit.ts';
import { findCurrent, type RemoteTarget } from './remote-access.queries.ts';
import { markIssued } from './remote-access.store.ts';

/** Credentials of a session. `expires`: epoch seconds. */
export type Secret = { readonly username: string; readonly password: string; readonly expires: number };

/** Credentials before the router has them. */
export type IssuedCredentials = Omit<Secret, 'expires'> & { readonly expires: Date };

/** A session of the user who asks for its credentials. */
export interface OwnSession {
  readonly target: RemoteTarget;
  /** Id of the session. */
  readonly id: string;
  /** Undefined when another process has its sockets. */
  readonly session: ActiveSession | undefined;
}

/**
 * The actor's own session of this type, whichever process has its sockets.
 * @throws DomainError `not_found`, `remote.not_connected`, `remote.exists`, `remote.secret_told`
 */
export async function getOwnSession(
  deps: ConnectDeps,
  scope: OrganizationScope,
  actor: Actor,
  { serial, type }: ConnectInput,
): Promise<OwnSession> {
  const target = await getTarget(deps, scope, serial);
  const found = required(await findCurrent(deps.database.read, scope, target.deviceId), 'remote.not_connected');
  if (found.accountId !== actor.accountId) throw new DomainError('remote.exists');
  const session = deps.active.get(found.id);
  if (found.type !== type || found.client !== null) throw new DomainError('remote.not_connected');
  if (found.credentialsExpireAt !== null || session?.isIssued === true) throw new DomainError('remote.secret_told');
  return { target, id: found.id, session };
}

/**
 * Issue credentials for a session of this process, once. @param issued those that its user has already; left out: new ones
 * @throws DomainError as `getOwnSession`, and `remote.no_answer`
 */
export async function issueCredentials(
  deps: ConnectDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: ConnectInput,
  issued?: IssuedCredentials,
): Promise<Secret> {
  const { session } = await getOwnSession(deps, scope, actor, input);
  if (session?.tunnel === undefined) throw new DomainError('remote.not_connected');
  session.isIssued = true;
  try {
    return await grant(deps, session, actor, issued);
  } catch (error) {
    session.isIssued = false;
    void deps.commands.revoke(session);
    throw isUnreachable(error) ? new DomainError('remote.no_answer') : error;
  }
}

async function grant(deps: ConnectDeps, session: ActiveSession, actor: Actor, issued?: IssuedCredentials): Promise<Secret> {
  const { database, clock, commands, active, timeouts } = deps;
  const { scope } = session;
  const now = clock.now();
  const { username, password } = issued ?? makeCredentials();
  const expires = issued?.expires ?? new Date(now.getTime() + timeouts.credentialMs);
  const validMs = expires.getTime() - now.getTime();
  const response = await commands.grant(session, { username, password, seconds: Math.ceil(validMs / 1_000) });
  if (response.type === 'failed') throw new DomainError('remote.no_answer');
  await database.write(async (tx) => {
    if (!(await markIssued(tx, scope, session.id, expires))) throw new DomainError('remote.not_connected');
    await recordCredentials(tx, scope, actor, session, expires, now);
  });
  if (!active.has(session.id)) throw new DomainError('remote.not_connected');
  session.keep?.();
  session.keep = timeouts.after(validMs, () => expire(deps, session));
  return { username, password, expires: epochSeconds(expires) };
}
