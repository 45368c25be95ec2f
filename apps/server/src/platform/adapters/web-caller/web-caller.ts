import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent } from 'undici';
import type { HostResolver, WebResponse, WebCall, WebCaller, WebExchange, WebRequest } from '../../ports/web-caller.ts';
import { readAnswer, TimedOut, TooLong, type Answer, type Reading } from './answer.ts';
import { createAllowedNetworks, mayCall } from './address.ts';
import { Lookups } from './lookups.ts';
import { createResolver } from './resolver.ts';
import { parseTarget, rejectedAddress, type TargetRules } from './target.ts';

export interface WebCallerSettings {
  readonly allowsHttp: boolean;
  /** Networks as CIDR or single addresses that may be called although they are not on the internet. */
  readonly allowedNetworks: readonly string[];
  /** Default: the hosts file and name servers of the operating system. */
  readonly resolver?: HostResolver;
  /** Authorities in PEM besides the usual ones; default none. */
  readonly ca?: string | undefined;
  /** Milliseconds for a whole call; default ten seconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** How much of a response is kept; after it the connection is closed. */
const KEPT_BYTES = 4_096;
const MOST_HEADER_BYTES = 16_384;

/** A host whose name leads to an address that may not be called. */
class RejectedAddress extends Error {}

/**
 * Calls web addresses that users typed. The addresses of a name are checked where the connection is made and nowhere before, so a name
 * that leads elsewhere a moment later is of no use; one rejected address among several rejects the name. Redirects are not followed.
 */
export function createWebCaller(settings: WebCallerSettings): WebCaller {
  const { resolver = createResolver(), ca, timeoutMs = TIMEOUT_MS } = settings;
  const lookups = new Lookups(resolver);
  const rules: TargetRules = { allowsHttp: settings.allowsHttp, allowed: createAllowedNetworks(settings.allowedNetworks) };
  const agent = new Agent({
    connect: {
      lookup: lookupWith(lookups, rules),
      timeout: timeoutMs,
      ...(ca === undefined ? {} : { ca: [...getCACertificates(), ca] }),
    },
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 30_000,
  });
  return {
    faultOf(url) {
      const target = parseTarget(url, rules);
      return typeof target === 'string' ? target : undefined;
    },
    post: (call) => post({ agent, lookups, rules, timeoutMs }, call),
    exchange: (call) => exchange({ agent, lookups, rules, timeoutMs }, call),
    close: () => agent.destroy(),
  };
}

/** Resolves names for connections: checks every address, and the connection is made to one of these. */
function lookupWith(lookups: Lookups, { allowed }: TargetRules): LookupFunction {
  const find = async (host: string) => {
    const addresses = await lookups.resolve(host);
    const rejected = addresses.find((address) => !mayCall(address, allowed));
    if (rejected !== undefined) throw new RejectedAddress(rejectedAddress(rejected));
    if (addresses.length === 0) throw new Error(`${host} has no address.`);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  const callBack = callbackify(find);
  // All addresses are requested, because the family is chosen while connecting.
  return (host, _, callback) => callBack(host, (error, found) => callback(error, found));
}

interface Calling {
  readonly agent: Agent;
  readonly lookups: Lookups;
  readonly rules: TargetRules;
  readonly timeoutMs: number;
}

async function post(calling: Calling, call: WebCall): Promise<WebResponse> {
  const { status, fault, body, took } = await callWith(
    calling,
    { ...call, method: 'POST' },
    { mostBytes: KEPT_BYTES, isWhole: false },
  );
  return { status, fault, took, text: body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}').toWellFormed() };
}

async function exchange(calling: Calling, call: WebRequest): Promise<WebExchange> {
  const outcome = await callWith(calling, call, { mostBytes: call.mostBytes, isWhole: true });
  const { status, fault, body, took, headers, isTooLong = false } = outcome;
  const header = (name: string) => String(headers[name] ?? '');
  return { status, fault, text: body.toString('utf8'), took, isTooLong, type: header('content-type'), date: header('date') };
}

/** What came of a call; no status where there is a fault. */
interface Outcome extends Omit<Answer, 'status'> {
  readonly status: number | null;
  readonly fault: string;
  readonly took: number;
  readonly isTooLong?: boolean;
}

const nothing = { status: null, headers: {}, body: Buffer.alloc(0) };

async function callWith(
  { agent, lookups, rules, timeoutMs }: Calling,
  { owner, url, ...call }: Omit<WebRequest, 'mostBytes' | 'body'> & { readonly body?: WebCall['body'] | undefined },
  reading: Reading,
): Promise<Outcome> {
  const begun = performance.now();
  const ended = (outcome: Omit<Outcome, 'took'>): Outcome => ({ ...outcome, took: Math.round(performance.now() - begun) });
  const target = parseTarget(url, rules);
  if (typeof target === 'string') return ended({ ...nothing, fault: target });
  const end = lookups.begin(target.hostname, owner);
  try {
    const answer = await readAnswer(agent, target, call, reading, timeoutMs);
    return ended(answer.status <= 599 ? { ...answer, fault: '' } : { ...nothing, fault: NO_HTTP });
  } catch (error) {
    return ended({ ...nothing, fault: faultText(error, timeoutMs), isTooLong: error instanceof TooLong });
  } finally {
    end();
  }
}

const NO_HTTP = 'The answer is not valid HTTP.';

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver rejected the connection.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  UND_ERR_SOCKET: 'The connection was closed before there was an answer.',
  ENOTFOUND: 'This host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved at this time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The answer has too many headers.',
};
const LONGEST_FAULT = 300;

function faultText(error: unknown, timeoutMs: number): string {
  if (error instanceof RejectedAddress || error instanceof TooLong) return error.message;
  const { code = '', name, message } = error as { code?: string; name?: string; message?: string };
  if (error instanceof TimedOut || code === 'UND_ERR_CONNECT_TIMEOUT')
    return `There was no answer within ${timeoutMs / 1_000} seconds.`;
  // An assertion: the library does not expect a status below 100.
  const plain = sentences[code] ?? (name === 'HTTPParserError' || name === 'AssertionError' ? NO_HTTP : undefined);
  if (plain !== undefined) return plain;
  return `The call failed: ${String(message ?? error)}`.slice(0, LONGEST_FAULT).replaceAll('\0', '').toWellFormed();
}
