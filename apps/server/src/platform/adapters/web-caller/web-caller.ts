import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, type Dispatcher, request } from 'undici';
import type { HostResolver, WebResponse, WebCall, WebCaller, WebExchange, WebRequest } from '../../ports/web-caller.ts';
import { createAllowedNetworks, mayCall } from './address.ts';
import { Lookups } from './lookups.ts';
import { createResolver } from './resolver.ts';
import { faultOfTarget, rejectedAddress, type TargetRules } from './target.ts';

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

/** A longer answer than is read. */
class TooLong extends Error {}

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
    faultOf: (url) => faultOfTarget(url, rules),
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
  const { response, fault, text, took } = await callWith(calling, { ...call, method: 'POST' }, readStart);
  return { status: response?.statusCode ?? null, fault, text, took };
}

async function exchange(calling: Calling, call: WebRequest): Promise<WebExchange> {
  const {
    response,
    fault,
    text,
    took,
    isTooLong = false,
  } = await callWith(calling, call, (answer) => readWhole(answer, call.mostBytes));
  const header = (name: string) => String(response?.headers[name] ?? '');
  return {
    status: response?.statusCode ?? null,
    fault,
    text,
    took,
    isTooLong,
    type: header('content-type'),
    date: header('date'),
  };
}

/** What came of a call; no response where there is a fault. */
interface Outcome {
  readonly response?: Dispatcher.ResponseData;
  readonly fault: string;
  readonly text: string;
  readonly took: number;
  readonly isTooLong?: boolean;
}

async function callWith(
  { agent, lookups, rules, timeoutMs }: Calling,
  { owner, url, headers, body, method }: Omit<WebRequest, 'mostBytes' | 'body'> & { readonly body?: WebCall['body'] | undefined },
  read: (response: Dispatcher.ResponseData) => Promise<string>,
): Promise<Outcome> {
  const begun = performance.now();
  const ended = (outcome: Omit<Outcome, 'took'>): Outcome => ({ ...outcome, took: Math.round(performance.now() - begun) });
  const fault = faultOfTarget(url, rules);
  if (fault !== undefined) return ended({ fault, text: '' });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const end = lookups.begin(new URL(url).hostname, owner);
  try {
    const response = await request(url, { dispatcher: agent, method, headers, body: body ?? null, signal: limit.signal });
    const text = await read(response);
    const isStatus = response.statusCode >= 100 && response.statusCode <= 599;
    return ended(isStatus ? { response, fault: '', text } : { fault: NO_HTTP, text });
  } catch (error) {
    return ended({ fault: faultText(error, limit.signal, timeoutMs), text: '', isTooLong: error instanceof TooLong });
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** @throws Error for a body that breaks off, or is longer */
async function readWhole({ body }: Dispatcher.ResponseData, mostBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > mostBytes) throw new TooLong(`The answer is longer than ${mostBytes} bytes.`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The start of a response. A status has come by then: a body that breaks off, or takes too long, changes nothing about it. */
async function readStart({ body }: Dispatcher.ResponseData): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      // Leaving the loop closes the connection.
      if (bytes > KEPT_BYTES) break;
    }
  } catch {
    // What came is the response.
  }
  return Buffer.concat(parts).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}').toWellFormed();
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

function faultText(error: unknown, { aborted }: AbortSignal, timeoutMs: number): string {
  if (error instanceof RejectedAddress || error instanceof TooLong) return error.message;
  const { code = '', name, message } = error as { code?: string; name?: string; message?: string };
  if (aborted || code === 'UND_ERR_CONNECT_TIMEOUT') return `There was no answer within ${timeoutMs / 1_000} seconds.`;
  // An assertion: the library does not expect a status below 100.
  const plain = sentences[code] ?? (name === 'HTTPParserError' || name === 'AssertionError' ? NO_HTTP : undefined);
  if (plain !== undefined) return plain;
  return `The call failed: ${String(message ?? error)}`.slice(0, LONGEST_FAULT).replaceAll('\0', '').toWellFormed();
}
