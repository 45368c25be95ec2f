import { tidyEmail } from '@highline/contract';
import * as oidc from 'openid-client';
import { DomainError, isId, required, type Actor } from '../../kernel/index.ts';
import { isUniqueViolation } from '../../platform/ports/index.ts';
import {
  addressKeyOf,
  admitPerson,
  beginSession,
  confirmSession,
  countTry,
  limits,
  lockCompany,
  lockOwn,
  personOf,
  recordOwn,
  type Caller,
  type ProvidedPerson,
} from '../accounts/index.ts';
import { sentence } from '../logs/index.ts';
import { emailOf, isStorableId, nameOf, ruleFor, type Claims } from './claims.ts';
import { findLinked, findProviderFor, findProviderOfSession } from './linked-providers.queries.ts';
import { CLOCK_TOLERANCE_SECONDS } from './provider-client.ts';
import { companyOf, findActiveProvider, lockActiveProvider, type ActiveProvider } from './providers.queries.ts';
import { insertProviderSession, link } from './providers.store.ts';
import { failureOf, type SignInDeps } from './sign-in-failures.ts';
import { openFlow, leaveFor, type Flow, FLOW_SECONDS, toCalled } from './sign-in-flow.ts';

/**
 * Begin a sign-in by the provider of an e-mail address.
 * @returns the address to open, and what the browser keeps until it comes back
 * @throws DomainError `provider.none`, `provider.unreachable`, `account.too_many_tries`
 */
export async function beginSignIn(
  deps: SignInDeps,
  typed: { readonly email: string; readonly next: string | undefined },
  origin: string,
  { address }: Caller,
): Promise<{ readonly url: string; readonly flow: string }> {
  const { database, clock } = deps;
  const now = clock.now();
  await countTry(database, limits.providerAddress, addressKeyOf(address), now);
  const email = tidyEmail(typed.email);
  const provider = required(await findProviderFor(database.read, email), 'provider.none', { field: 'email' });
  return leaveFor(deps, provider, { email, next: typed.next, origin, now });
}

/**
 * Begin another sign-in of a person by the provider of the session, which has to ask for it, in place of the own password.
 * @returns undefined for a session that no provider began
 * @throws DomainError `provider.unreachable`, `account.too_many_tries`
 */
export async function beginAgain(
  deps: SignInDeps,
  actor: Actor,
  next: string | undefined,
  origin: string,
): Promise<{ readonly url: string; readonly flow: string } | undefined> {
  const now = deps.clock.now();
  await countTry(deps.database, limits.providerAddress, addressKeyOf(actor.address), now);
  const provider = await findProviderOfSession(deps.database.read, actor);
  if (provider === undefined) return undefined;
  const { accountId, mainAccountId, sessionId, email } = actor;
  return leaveFor(deps, provider, { email, next, origin, now, again: { accountId, mainAccountId, sessionId } });
}

/**
 * Finish a sign-in with what the provider sent the browser back with.
 * @param flow what the browser kept
 * @returns the session, and the page that opens with it
 * @throws DomainError `provider.state_invalid`, `provider.rejected`, `provider.token_invalid`, `provider.unreachable`, and those of `admitPerson`
 */
export async function finishSignIn(
  deps: SignInDeps,
  query: URLSearchParams,
  flow: string | undefined,
  caller: Caller,
): Promise<{ readonly session?: { readonly id: string; readonly vap: string }; readonly next: string }> {
  const { database, clock } = deps;
  await countTry(database, limits.providerAddress, addressKeyOf(caller.address), clock.now());
  const begun = required(openFlow(deps, flow), 'provider.state_invalid');
  if (query.get('state') !== begun.state) throw new DomainError('provider.state_invalid');
  const provider = required(
    isId(begun.provider) ? await findActiveProvider(database.read, begun.provider) : undefined,
    'provider.none',
  );
  const claims = await readClaims(deps, provider, begun, query).catch((error: unknown) => {
    throw failureOf(deps, provider, error);
  });
  if (begun.again !== undefined) {
    await confirm(deps, provider, claims, { ...begun, again: begun.again }, caller).catch((error: unknown) => {
      throw failureOf(deps, provider, error);
    });
    return { next: begun.next };
  }
  const session = await signIn(deps, provider, claims, caller).catch((error: unknown) => {
    // Two people got the same address at once.
    if (isUniqueViolation(error)) throw new DomainError('provider.not_admitted');
    throw error instanceof DomainError ? failureOf(deps, provider, error) : error;
  });
  return { session, next: begun.next };
}

/**
 * Note on a session that its person has just signed in again: the same one, and since it was begun.
 * @throws DomainError `provider.token_invalid`, `provider.state_invalid`
 */
async function confirm(
  { database, clock }: SignInDeps,
  provider: ActiveProvider,
  { sub, auth_time: at }: Claims & { readonly sub: string },
  { again, until }: Required<Pick<Flow, 'again' | 'until'>>,
  { address }: Caller,
): Promise<void> {
  const begunAt = until / 1_000 - FLOW_SECONDS;
  if (typeof at !== 'number' || at < begunAt - CLOCK_TOLERANCE_SECONDS) throw new DomainError('provider.token_invalid');
  await database.write(async (tx) => {
    const now = clock.now();
    const known = await findProviderOfSession(tx, again);
    if (known?.id !== provider.id) throw new DomainError('provider.state_invalid');
    if (known.subject !== sub) throw new DomainError('provider.token_invalid');
    const account = await lockOwn(tx, again);
    const isThere = await confirmSession(tx, again, now);
    if (account === undefined || !isThere) throw new DomainError('provider.state_invalid');
    await recordOwn(
      tx,
      personOf(account, address),
      sentence('session.confirmed_by', provider.name),
      { provider: provider.name },
      now,
    );
  });
}

/** Exchange the code for tokens, and check them. What rules need and the ID token lacks is read from the UserInfo endpoint. */
async function readClaims(
  deps: SignInDeps,
  provider: ActiveProvider,
  flow: Flow,
  query: URLSearchParams,
): Promise<Claims & { sub: string }> {
  const config = await deps.client.configure(toCalled(deps, provider));
  const url = new URL(flow.redirectUri);
  url.search = query.toString();
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  if (![claims.sub, sessionOf(claims)].every((id) => id === null || isStorableId(id)))
    throw new DomainError('provider.token_invalid');
  const isComplete = ['email', ...provider.rules.map(({ claim }) => claim)].every((claim) => claims[claim] !== undefined);
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
}

/** The provider's own name for its session. */
const sessionOf = ({ sid }: Claims): string | null => (typeof sid === 'string' ? sid : null);

/** @param seen the provider as it was when the claims were read; one that was changed, disabled or deleted meanwhile signs no one in */
async function signIn(
  { database, clock }: SignInDeps,
  seen: ActiveProvider,
  claims: Claims & { readonly sub: string },
  caller: Caller,
): Promise<{ readonly id: string; readonly vap: string }> {
  const { id } = seen;
  const company = companyOf({ mainAccountId: seen.main_account_id, organizationId: seen.organization_id });
  return database.write(async (tx) => {
    const now = clock.now();
    // The company before the provider and the account, as everywhere.
    await lockCompany(tx, company);
    const provider = required(await lockActiveProvider(tx, company, id), 'provider.none');
    if (provider.version !== seen.version) throw new DomainError('provider.none');
    const accountId = await findLinked(tx, company, id, claims.sub);
    const account = await admitPerson(tx, company, { ...personBy(provider, claims), accountId }, caller, now);
    const known = { accountId: account.id, providerId: id, subject: claims.sub };
    if (accountId === undefined) await link(tx, company, known, now);
    const { vap, bearerHash } = await beginSession(tx, account, provider.name, caller, now);
    await insertProviderSession(tx, company, bearerHash, { ...known, session: sessionOf(claims) });
    return { id: account.id, vap };
  });
}

function personBy(provider: ActiveProvider, claims: Claims): Omit<ProvidedPerson, 'accountId'> {
  const email = emailOf(claims, provider);
  const rule = ruleFor(provider.rules, claims);
  return {
    email,
    name: nameOf(claims, email ?? '@'),
    role: rule?.role ?? (provider.rules.length > 0 ? provider.default_role : undefined),
    // Once a rule limits, what people see follows the rules.
    limit: provider.rules.some(({ limit }) => limit !== undefined) ? (rule?.limit ?? null) : undefined,
    defaultRole: provider.default_role,
    breakGlass: provider.break_glass,
    by: provider.name,
  };
}
