import { type Actor, DomainError, epochSeconds, type OrganizationScope } from '../../kernel/index.ts';
import { rejectUnavailable, type ConnectDeps, type ConnectInput } from './connection-failures.ts';
import { connect, getTarget, type Connected, type Declined } from './connect.ts';
import { makeCredentials } from './credentials.ts';
import { getOwnSession, issueCredentials, type IssuedCredentials, type Secret } from './issue-credentials.ts';

// The table of the specification lists getOneTimeSecret before connectDevice: programs that call in this order request the
// credentials of a session that they open afterwards (DECISIONS, Remote calls).

/** Credentials that were requested before their session, by user, device and type; only in the process with the router's connection. */
export type SecretsAhead = Map<string, IssuedCredentials & { readonly until: Date }>;

export interface AheadDeps extends ConnectDeps {
  readonly ahead: SecretsAhead;
}

/** They belong to a session that follows within this time. */
const AHEAD_MS = 30_000;
const MOST_AHEAD = 500;

const keyOf = ({ organizationId }: OrganizationScope, { accountId }: Actor, { serial, type }: ConnectInput) =>
  JSON.stringify([organizationId, accountId, serial, type]);

/**
 * Credentials of the session that the caller opens within 30 s.
 * @throws DomainError as `connect`
 */
export async function issueAhead(deps: AheadDeps, scope: OrganizationScope, actor: Actor, input: ConnectInput): Promise<Secret> {
  await rejectUnavailable(deps, scope, await getTarget(deps, scope, input.serial), input);
  const { ahead, clock, timeouts } = deps;
  const now = clock.now();
  for (const [key, { until }] of ahead) if (until <= now) ahead.delete(key);
  if (ahead.size >= MOST_AHEAD) throw new DomainError('remote.busy');
  const credentials = { ...makeCredentials(), expires: new Date(now.getTime() + timeouts.credentialMs) };
  ahead.set(keyOf(scope, actor, input), { ...credentials, until: new Date(now.getTime() + AHEAD_MS) });
  return { ...credentials, expires: epochSeconds(credentials.expires) };
}

/** Open a session, with the credentials that the caller requested before. @throws DomainError as `connect` and `issueCredentials` */
export async function connectWithSecret(
  deps: AheadDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: ConnectInput,
  caller: AbortSignal,
): Promise<Connected | Declined> {
  const connected = await connect(deps, scope, actor, input, caller);
  const key = keyOf(scope, actor, input);
  const requested = deps.ahead.get(key);
  if (connected.statusCode !== 200 || requested === undefined || input.client !== undefined) return connected;
  deps.ahead.delete(key);
  if (requested.until <= deps.clock.now()) return connected;
  const { id } = await getOwnSession(deps, scope, actor, input);
  try {
    await issueCredentials(deps, scope, actor, input, requested);
    return connected;
  } catch (error) {
    // Its user has credentials that the router does not know.
    await deps.ends.end({ id, scope }, 'aborted');
    throw error;
  }
}
