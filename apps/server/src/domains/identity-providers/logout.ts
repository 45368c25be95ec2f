import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { DomainError, isId, required } from '../../kernel/index.ts';
import { addressKeyOf, countTry, endSessionsBy, limits } from '../accounts/index.ts';
import { CLOCK_TOLERANCE_SECONDS, isUnreachable } from './provider-client.ts';
import { findProviderSessions } from './linked-providers.queries.ts';
import { isStorableId } from './claims.ts';
import { companyOf, findActiveProvider, type ActiveProvider } from './providers.queries.ts';
import { type SignInDeps } from './sign-in-failures.ts';
import { toCalled } from './sign-in-flow.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures with a key pair: a secret or none would let anyone sign out everyone. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const LONGEST_AGE_SECONDS = 300;

/**
 * End the sessions that a provider names in a logout token (OpenID Connect Back-Channel Logout 1.0). One that is sent again ends nothing that
 * began after it.
 * @returns how many sessions ended
 * @throws DomainError `provider.logout_invalid`, `provider.not_found`, `provider.unreachable`, `account.too_many_tries`
 */
export async function logOutBy(deps: SignInDeps, providerId: string, token: string, address: string): Promise<number> {
  const { database, clock } = deps;
  await countTry(database, limits.providerLogout, addressKeyOf(address), clock.now());
  const provider = required(
    isId(providerId) ? await findActiveProvider(database.read, providerId) : undefined,
    'provider.not_found',
  );
  const { subject, session, issuedAt } = await readToken(deps, provider, token);
  const company = companyOf({ mainAccountId: provider.main_account_id, organizationId: provider.organization_id });
  return database.write(async (tx) => {
    const until = new Date((issuedAt + CLOCK_TOLERANCE_SECONDS) * 1_000);
    const hashes = await findProviderSessions(tx, company, provider.id, { subject, session, until });
    return hashes.length === 0 ? 0 : endSessionsBy(tx, company, hashes, { by: provider.name, address }, clock.now());
  });
}

interface LogoutToken {
  readonly subject: string | undefined;
  readonly session: string | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
}

/** @throws DomainError `provider.logout_invalid`, `provider.unreachable` */
async function readToken(deps: SignInDeps, provider: ActiveProvider, token: string): Promise<LogoutToken> {
  try {
    // Before anything is fetched: a token of someone else costs no call of the provider.
    if (decodeJwt(token).iss !== provider.issuer) throw new DomainError('provider.logout_invalid');
    const called = toCalled(deps, provider);
    const metadata = (await deps.client.configure(called)).serverMetadata();
    const keys = createLocalJWKSet(await deps.client.readKeys(called, metadata.jwks_uri ?? ''));
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.client_id,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti'],
      maxTokenAge: LONGEST_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: deps.clock.now(),
    });
    const { sub: subject, sid, events, nonce, iat } = payload;
    const session = typeof sid === 'string' ? sid : undefined;
    const isLogout = typeof events === 'object' && events !== null && EVENT in events && nonce === undefined;
    const ids = [subject, session].filter((id) => id !== undefined);
    if (!isLogout || ids.length === 0 || !ids.every(isStorableId)) throw new DomainError('provider.logout_invalid');
    return { subject, session, issuedAt: iat! };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError(isUnreachable(error) ? 'provider.unreachable' : 'provider.logout_invalid');
  }
}
