import { identityProviders } from '@highline/contract';
import * as oidc from 'openid-client';
import { openedOrNone } from '../../kernel/index.ts';
import type { CalledProvider } from './provider-client.ts';
import type { ActiveProvider } from './providers.queries.ts';
import { failureOf, type SignInDeps } from './sign-in-failures.ts';

/** So long a person may take at the provider. */
export const FLOW_SECONDS = 900;

const LONGEST_NEXT = 1_000;

/** A sign-in on its way, which the browser keeps encrypted: it ends in the browser that it began in, and in no other. */
export interface Flow {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly next: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** The session that is confirmed; left out, one begins. */
  readonly again?: { readonly accountId: string; readonly mainAccountId: string; readonly sessionId: string };
}

/** What it is sealed for. */
const FLOW = 'flow';

export async function leaveFor(
  deps: SignInDeps,
  provider: ActiveProvider,
  {
    email,
    next,
    origin,
    now,
    again,
  }: Pick<Flow, 'again'> & {
    readonly email: string;
    readonly next: string | undefined;
    readonly origin: string;
    readonly now: Date;
  },
): Promise<{ readonly url: string; readonly flow: string }> {
  const { client, flows } = deps;
  const config = await client.configure(toCalled(deps, provider)).catch((error: unknown) => {
    throw failureOf(deps, provider, error);
  });
  const flow: Flow = {
    provider: provider.id,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    redirectUri: `${origin}${identityProviders.CALLBACK_PATH}`,
    next: pathOfConsole(next),
    until: now.getTime() + FLOW_SECONDS * 1_000,
    ...(again !== undefined && { again }),
  };
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: flow.redirectUri,
    scope: provider.scopes,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    login_hint: email,
    // Who is signed in there signs in all the same, and the answer says when that was.
    ...(again !== undefined && { prompt: 'login', max_age: '0' }),
  });
  return { url: url.href, flow: flows.seal(FLOW, Buffer.from(JSON.stringify(flow))).toString('base64url') };
}

export function openFlow({ flows, clock }: SignInDeps, text: string | undefined): Flow | undefined {
  const opened = text === undefined ? undefined : openedOrNone(() => flows.open(FLOW, Buffer.from(text, 'base64url')));
  if (opened === undefined) return undefined;
  const flow = JSON.parse(opened.toString('utf8')) as Flow;
  return flow.until > clock.now().getTime() ? flow : undefined;
}

/** How a provider is called. @throws DomainError `secret.unreadable` */
export function toCalled({ secrets }: Pick<SignInDeps, 'secrets'>, provider: ActiveProvider): CalledProvider {
  return {
    id: provider.id,
    owner: provider.organization_id ?? provider.main_account_id,
    issuer: provider.issuer,
    clientId: provider.client_id,
    clientSecret: secrets.open(provider.id, provider.sealed_secret).toString('utf8'),
  };
}

/** A path of the console, without anything that a browser would take for another site's address. */
function pathOfConsole(next: string | undefined): string {
  if (next === undefined || next.length > LONGEST_NEXT || !/^\/(?![/\\])[\x21-\x7e]*$/u.test(next)) return '/';
  return next.includes('\\') ? '/' : next;
}
