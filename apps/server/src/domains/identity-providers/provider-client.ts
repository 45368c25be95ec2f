import * as oidc from 'openid-client';
import type { Clock } from '../../platform/ports/clock.ts';
import type { WebCaller, WebExchange } from '../../platform/ports/web-caller.ts';

/** A provider, as it is called. */
export interface CalledProvider {
  readonly id: string;
  /** The organization or main account: slow names delay only calls of theirs. */
  readonly owner: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Empty = a public client. */
  readonly clientSecret: string;
}

/** A provider did not answer, as a plain sentence. */
class Unreachable extends Error {}

/** Whether a provider did not answer; libraries wrap it. */
export const isUnreachable = (error: unknown): boolean => causesOf(error).some((cause) => cause instanceof Unreachable);

/** An error, and what caused it. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  return causes;
}

/** Large enough for tokens with thousands of groups. */
export const MOST_BYTES = 524_288;
/** How far clocks may be apart, seconds. */
export const CLOCK_TOLERANCE_SECONDS = 20;
/** Metadata of a provider is read again after this time; its keys at each sign-in, since they may change in the middle of one. */
const KEPT_MS = 300_000;
const MOST_KEPT = 500;
export const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** Calls providers, through the guard for addresses that users typed. */
export function createProviderClient({ caller, clock }: { readonly caller: Pick<WebCaller, 'exchange'>; readonly clock: Clock }) {
  const kept = new Map<string, { readonly metadata: oidc.ServerMetadata; readonly until: number }>();

  const fetchFor =
    ({ owner }: CalledProvider): oidc.CustomFetch =>
    async (url, { method, headers, body }) => {
      const text = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;
      const answer = await caller.exchange({
        owner,
        url,
        headers: { ...headers },
        method: method === 'POST' ? 'POST' : 'GET',
        body: text,
        mostBytes: MOST_BYTES,
      });
      return responseOf(answer);
    };

  const prepare = (config: oidc.Configuration, provider: CalledProvider): oidc.Configuration => {
    config[oidc.customFetch] = fetchFor(provider);
    // Without it the signature of an ID token is not checked when it came from the token endpoint.
    oidc.enableNonRepudiationChecks(config);
    return config;
  };

  return {
    /**
     * The configuration of a provider, by its discovery document.
     * @throws Unreachable, and Error for a document that is not valid
     */
    async configure(provider: CalledProvider): Promise<oidc.Configuration> {
      const key = `${provider.id} ${provider.issuer}`;
      const now = clock.now().getTime();
      const known = kept.get(key);
      const metadata = known !== undefined && known.until > now ? known.metadata : await discover(provider, fetchFor(provider));
      if (metadata !== known?.metadata) {
        if (kept.size >= MOST_KEPT) kept.clear();
        kept.set(key, { metadata, until: now + KEPT_MS });
      }
      const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS, [oidc.clockSkew]: Math.round((now - Date.now()) / 1_000) };
      const config = new oidc.Configuration(metadata, provider.clientId, client, authenticationOf(provider, metadata));
      return prepare(config, provider);
    },

    /** The keys of a provider. @throws Unreachable, and Error for what are no keys */
    async readKeys(provider: CalledProvider, jwksUri: string): Promise<{ keys: Record<string, unknown>[] }> {
      const answer = await caller.exchange({
        owner: provider.owner,
        url: jwksUri,
        headers: { accept: 'application/json' },
        method: 'GET',
        mostBytes: MOST_BYTES,
      });
      const response = responseOf(answer);
      if (response.status !== 200) throw new Unreachable(`${jwksUri} answers ${response.status}.`);
      return (await response.json()) as { keys: Record<string, unknown>[] };
    },
  };
}

export type ProviderClient = ReturnType<typeof createProviderClient>;

async function discover(provider: CalledProvider, fetch: oidc.CustomFetch): Promise<oidc.ServerMetadata> {
  const config = await oidc.discovery(new URL(provider.issuer), provider.clientId, undefined, oidc.None(), {
    [oidc.customFetch]: fetch,
  });
  return { ...config.serverMetadata() };
}

/** How a client proves itself: as the provider supports it, without a preference as the standard says. */
export function authenticationOf({ clientSecret }: CalledProvider, metadata: oidc.ServerMetadata): oidc.ClientAuth {
  if (clientSecret === '') return oidc.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
}

const BODILESS = new Set([101, 103, 204, 205, 304]);

/** @throws Unreachable where there is no answer */
export function responseOf({ status, fault, text, type, isTooLong }: WebExchange): Response {
  if (isTooLong) throw new Error(fault);
  if (status === null || status < 200) throw new Unreachable(fault);
  return new Response(BODILESS.has(status) ? null : text, { status, headers: { 'content-type': type } });
}
