import type { IncomingMessage } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../kernel/address.ts';
import { DomainError } from '../../kernel/failure.ts';
import { guard } from '../../kernel/guard.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';
import { FairQueue, type Party } from './fair-queue.ts';
import { JsonCounter } from './json-counter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that is known and may make this call, set before its body is read; undefined: no one is known. */
    bodyOf: Party | undefined;
  }
}

/** The longest body of a caller without a session, whatever its route accepts. */
export const ANONYMOUS_BYTES = 16_384;
/** Above this a body waits for its turn, and is not read at all before a rejection. */
const LARGE_BYTES = 1_048_576;
/** The longest form: all of ours are a few short fields. */
const FORM_BYTES = 65_536;
const FORM_FIELDS = 1_000;
/** One list of 10,000 devices, the longest that a body of usual size holds, and fields of its rows. */
const USUAL_VALUES = 25_000;
/** Two lists of 50,000 devices, the longest that a call with a larger body takes. */
const VALUES_OF_LARGE = 110_000;
/** Time limit of a body without a known caller, and of the rest of a rejected one. */
const ANONYMOUS_MS = 15_000;

/** Bodies being read of callers without a session: a slow one keeps a connection. */
const ANONYMOUS_OF_NETWORK = 32;
const ANONYMOUS_OF_ALL = 4_000;
/** Calls with a large body, from its first byte to the response. One that waits is not read. */
const large = { total: 6, ofTenant: 2, ofAccount: 2, waiting: 24, waitingOfTenant: 8, waitingOfAccount: 4, waitMs: 30_000 };

/**
 * Read bodies only of requests that lead somewhere, and up to the limit of their caller: a route names its caller (`bodyOf`) in an
 * `onRequest` hook, before anything is read; without it a body may only be short.
 */
export function acceptBodies(app: FastifyInstance): void {
  const anonymous = new SlowBodies();
  const largeBodies = new FairQueue(large);
  app.decorateRequest('bodyOf', undefined);

  app.addHook('onRequest', async (request) => {
    if (request.is404 && hasBody(request.raw)) throw new DomainError('not_found');
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    // A form with files is read by the calls that take one; for others it stays unread.
    if (!hasBody(request.raw) || /^multipart\//iu.test(request.headers['content-type'] ?? '')) return payload;
    const { bodyOf: party } = request;
    const bytes = Number(request.headers['content-length'] ?? limitOf(request));
    if (bytes > limitOf(request)) throw tooLarge(limitOf(request));
    if (party === undefined) {
      if (!request.raw.complete) anonymous.add(request.raw, networkOf(addressOfCaller(request)));
    } else if (bytes > LARGE_BYTES) {
      const leave = await largeBodies.enter(party);
      reply.raw.once('close', guard(request.log, leave, leave));
      // It hung up while it waited.
      if (reply.raw.destroyed) leave();
    }
    return payload;
  });
  // The rest of a body that was rejected: of a small one its sender sees the response instead of a reset, a large one is cut off.
  app.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    if (!hasBody(raw) || raw.complete || reply.hasHeader('connection')) return;
    if (Number(raw.headers['content-length']) <= LARGE_BYTES) destroyUnlessEnded(raw);
    else reply.header('connection', 'close');
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/scim+json'], readJson);
  app.addContentTypeParser('application/x-www-form-urlencoded', readForm);
  app.addContentTypeParser('text/plain', async (request: FastifyRequest, payload: Readable) =>
    String(await collect(request, payload, limitOf(request), () => undefined)),
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Let other calls go on after each step of a call with a large body. */
export async function afterLargeBody({ headers }: Pick<FastifyRequest, 'headers'>): Promise<void> {
  const bytes = headers['content-length'];
  if (bytes === undefined ? headers['transfer-encoding'] !== undefined : Number(bytes) > LARGE_BYTES) await nextTurn();
}

function limitOf({ bodyOf, routeOptions: { bodyLimit } }: FastifyRequest): number {
  return bodyOf === undefined ? Math.min(ANONYMOUS_BYTES, bodyLimit) : bodyLimit;
}

/**
 * Bodies of callers without a session that have not arrived. When a network has too many of them its oldest is cut off, so that a new
 * one, which usually arrives with its head, is always read.
 */
class SlowBodies {
  /** Oldest first. */
  readonly #all = new Set<IncomingMessage>();
  readonly #byNetwork = new Map<string, Set<IncomingMessage>>();

  add(raw: IncomingMessage, network: string): void {
    const same = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, same);
    if (same.size >= ANONYMOUS_OF_NETWORK) cutOffFirst(same);
    if (this.#all.size >= ANONYMOUS_OF_ALL) cutOffFirst(this.#all);
    same.add(raw);
    this.#all.add(raw);
    const leave = (): void => {
      this.#all.delete(raw);
      same.delete(raw);
      if (same.size === 0 && this.#byNetwork.get(network) === same) this.#byNetwork.delete(network);
    };
    for (const event of ['end', 'close']) raw.once(event, leave);
    destroyUnlessEnded(raw);
  }
}

/** A request that is destroyed says so later, so it is taken out here. */
function cutOffFirst(bodies: Set<IncomingMessage>): void {
  const [first] = bodies;
  if (first === undefined) return;
  bodies.delete(first);
  first.destroy();
}

function destroyUnlessEnded(raw: IncomingMessage): void {
  const timer = setTimeout(() => raw.destroy(), ANONYMOUS_MS).unref();
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer));
}

/**
 * Accept an empty body with a JSON content type (DECISIONS, Envelopes); reject broken JSON with a clear message, and JSON of more
 * values than its call takes before it is parsed.
 */
async function readJson(request: FastifyRequest, payload: Readable): Promise<unknown> {
  const limit = limitOf(request);
  const counter = new JsonCounter({ values: limit > LARGE_BYTES ? VALUES_OF_LARGE : USUAL_VALUES, keys: USUAL_VALUES });
  const bytes = await collect(request, payload, limit, (chunk) => tooManyOf(counter.add(chunk)));
  const text = bytes.toString('utf8');
  if (!/\S/u.test(text)) return {};
  await afterLargeBody(request);
  return parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return withoutPrototype(JSON.parse(text));
  } catch {
    throw new DomainError('request.invalid', { message: 'The body is not valid JSON.' });
  }
}

async function readForm(request: FastifyRequest, payload: Readable): Promise<unknown> {
  let fields = 1;
  const bytes = await collect(request, payload, Math.min(FORM_BYTES, limitOf(request)), (chunk) => {
    for (const byte of chunk) if (byte === 0x26) fields += 1;
    return tooManyOf(fields > FORM_FIELDS ? 'values' : undefined);
  });
  return { ...parseForm(bytes.toString('utf8')) };
}

/**
 * Read a body chunk by chunk. The rest of a small one that is rejected is read too, so that its sender sees the response.
 * @param check called with each chunk; returns why the body is rejected
 * @throws DomainError `request.too_large`, what `check` returned, or `request.invalid` for a body that breaks off
 */
async function collect(
  request: FastifyRequest,
  payload: Readable,
  limit: number,
  check: (chunk: Buffer) => DomainError | undefined,
): Promise<Buffer> {
  const isSmall = Number(request.headers['content-length']) <= LARGE_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  let rejection: DomainError | undefined;
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      rejection ??= size > limit ? tooLarge(limit) : check(chunk);
      if (rejection === undefined) chunks.push(chunk);
      else if (!isSmall) break;
    }
  } catch {
    throw new DomainError('request.invalid', { message: 'The body is incomplete.' });
  }
  if (rejection !== undefined) throw rejection;
  return Buffer.concat(chunks, size);
}

function tooLarge(limit: number): DomainError {
  return new DomainError('request.too_large', { message: `The body is larger than ${Math.floor(limit / 1_024)} kB.` });
}

function tooManyOf(limit: 'values' | 'depth' | undefined): DomainError | undefined {
  if (limit === undefined) return undefined;
  const message =
    limit === 'depth' ? 'The body is nested too deeply.' : 'The body has too many values. Send fewer in one request.';
  return new DomainError('request.invalid', { message });
}

/** Drop keys that could reach an object's prototype; only where there is one, since an object with a deleted key is slow. */
function withoutPrototype(body: unknown): unknown {
  const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value))
      for (const key of ['__proto__', 'constructor']) if (Object.hasOwn(value, key)) Reflect.deleteProperty(value, key);
    const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return body;
}
