import type { identityProviders } from '@highline/contract';
import * as oidc from 'openid-client';
import type { Clock } from '../../platform/ports/clock.ts';
import type { WebCaller, WebExchange } from '../../platform/ports/web-caller.ts';
import {
  authenticationOf,
  CLOCK_TOLERANCE_SECONDS,
  DISCOVERY_PATH,
  MOST_BYTES,
  responseOf,
  type CalledProvider,
} from './provider-client.ts';

type Step = identityProviders.TestStep;
type Found = Omit<identityProviders.ProviderTest, 'step'>;

export interface ConnectionTestDeps {
  readonly caller: Pick<WebCaller, 'exchange' | 'faultOf'>;
  readonly clock: Clock;
}

/** A provider to test, with what a browser would be sent with. */
export interface TestedProvider extends CalledProvider {
  readonly scopes: string;
  readonly redirectUri: string;
}

const LONGEST_DETAIL = 300;
const ok = (detail = ''): Found => ({ outcome: 'ok', reason: 'ok', detail });
const failed = (reason: identityProviders.TestReason, detail: string): Found => ({ outcome: 'failed', reason, detail });
const warning = (reason: identityProviders.TestReason, detail = ''): Found => ({ outcome: 'warning', reason, detail });

/** Try everything of a sign-in that needs no person, and say what is wrong at the step that it is wrong at; what depends on it is not tried. */
export async function testConnection(
  deps: ConnectionTestDeps,
  provider: TestedProvider,
): Promise<identityProviders.ProviderTest[]> {
  const found: identityProviders.ProviderTest[] = [];
  const note = (step: Step, { detail, ...rest }: Found) => {
    found.push({ step, ...rest, detail: detail.replaceAll('\0', '').toWellFormed().slice(0, LONGEST_DETAIL) });
    return rest.outcome !== 'failed';
  };
  const discovery = await get(deps, provider, `${provider.issuer.replace(/\/$/u, '')}${DISCOVERY_PATH}`);
  const metadata = jsonOf(discovery) as oidc.ServerMetadata;
  if (!note('discovery', answerOf(discovery))) return found;
  const isIssuer = metadata.issuer === provider.issuer;
  note('issuer', isIssuer ? ok(provider.issuer) : failed('differs', metadata.issuer));
  note('clock', clockOf(discovery, deps.clock.now()));
  if (!note('endpoints', endpointsOf(metadata, deps.caller))) return found;
  note('keys', keysOf(await get(deps, provider, metadata.jwks_uri!)));
  if (isIssuer) note('credentials', await tryCredentials(deps, provider, metadata));
  note('redirect', await tryRedirect(deps, provider, metadata));
  note('logout', metadata['backchannel_logout_supported'] === true ? ok() : warning('unsupported'));
  return found;
}

function get({ caller }: ConnectionTestDeps, { owner }: TestedProvider, url: string): Promise<WebExchange> {
  return caller.exchange({
    owner,
    url,
    method: 'GET',
    headers: { accept: 'application/json, text/html' },
    mostBytes: MOST_BYTES,
  });
}

function jsonOf({ text }: WebExchange): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Whether an answer is a JSON object. */
function answerOf({ status, fault, text, type, isTooLong }: WebExchange): Found {
  if (isTooLong) return failed('too_long', fault);
  if (status === null) return failed('unreachable', fault);
  if (status !== 200) return failed('status', String(status));
  if (type.includes('html') || text.trimStart().startsWith('<')) return failed('html', type);
  return text.trimStart().startsWith('{') && Object.keys(jsonOf({ text } as WebExchange) as object).length > 0
    ? ok()
    : failed('not_json', type);
}

function clockOf({ date }: WebExchange, now: Date): Found {
  const theirs = Date.parse(date);
  if (Number.isNaN(theirs)) return warning('not_tried');
  const seconds = Math.round((theirs - now.getTime()) / 1_000);
  return Math.abs(seconds) > CLOCK_TOLERANCE_SECONDS ? failed('clock_differs', String(seconds)) : ok();
}

function endpointsOf(metadata: oidc.ServerMetadata, { faultOf }: Pick<WebCaller, 'faultOf'>): Found {
  const names = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  const missing = names.filter((name) => typeof metadata[name] !== 'string');
  if (missing.length > 0) return failed('missing', missing.join(', '));
  const fault = names.map((name) => faultOf(metadata[name]!)).find((each) => each !== undefined);
  if (fault !== undefined) return failed('unreachable', fault);
  const methods = metadata.code_challenge_methods_supported;
  return Array.isArray(methods) && !methods.includes('S256') ? warning('unsupported', 'PKCE S256') : ok();
}

function keysOf(answer: WebExchange): Found {
  const found = answerOf(answer);
  const { keys } = jsonOf(answer) as { keys?: unknown };
  if (found.outcome !== 'ok') return found;
  return Array.isArray(keys) && keys.length > 0 ? ok(String(keys.length)) : failed('no_keys', '');
}

/** A code that no one was given: a provider that knows the client rejects only the code. */
async function tryCredentials(
  { caller }: ConnectionTestDeps,
  provider: TestedProvider,
  metadata: oidc.ServerMetadata,
): Promise<Found> {
  const config = new oidc.Configuration(metadata, provider.clientId, undefined, authenticationOf(provider, metadata));
  config[oidc.customFetch] = async (url, { headers, body }) =>
    responseOf(
      await caller.exchange({
        owner: provider.owner,
        url,
        method: 'POST',
        headers: { ...headers },
        body: body instanceof URLSearchParams ? body.toString() : '',
        mostBytes: MOST_BYTES,
      }),
    );
  try {
    const code = {
      code: 'highline-connection-test',
      redirect_uri: provider.redirectUri,
      code_verifier: oidc.randomPKCECodeVerifier(),
    };
    await oidc.genericGrantRequest(config, 'authorization_code', code);
    return ok();
  } catch (error) {
    if (!(error instanceof oidc.ResponseBodyError)) return failed('unreachable', error instanceof Error ? error.message : '');
    if (error.error === 'invalid_grant') return ok();
    const detail = [error.error, error.error_description].filter(Boolean).join(': ');
    return ['invalid_client', 'unauthorized_client'].includes(error.error)
      ? failed('client_rejected', detail)
      : warning('rejected', detail);
  }
}

/** Open the sign-in page as a browser would: most providers reject an address to return to that is not registered. */
async function tryRedirect(deps: ConnectionTestDeps, provider: TestedProvider, metadata: oidc.ServerMetadata): Promise<Found> {
  const url = oidc.buildAuthorizationUrl(new oidc.Configuration(metadata, provider.clientId), {
    redirect_uri: provider.redirectUri,
    scope: provider.scopes,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  });
  const { status, fault } = await get(deps, provider, url.href);
  if (status === null) return failed('unreachable', fault);
  return status >= 400 ? failed('rejected', provider.redirectUri) : ok(provider.redirectUri);
}
