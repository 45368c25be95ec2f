import { parse as parseForm } from 'node:querystring';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import { JsonCounter } from './json-counter.ts';

/** The longest body of a caller without a session, whatever its route accepts. */
export const ANONYMOUS_BYTES = 16_384;

/** Above this a body waits for its turn, and is not read at all before a rejection. */
export const LARGE_BYTES = 1_048_576;

/** The longest form: all of ours are a few short fields. */
const FORM_BYTES = 65_536;

const FORM_FIELDS = 1_000;

/** One list of 10,000 devices, the longest that a body of usual size holds, and fields of its rows. */
const USUAL_VALUES = 25_000;

/** Two lists of 50,000 devices, the longest that a call with a larger body takes. */
const VALUES_OF_LARGE = 110_000;

/** Let other calls go on after each step of a call with a large body. */
export async function afterLargeBody({ headers }: Pick<FastifyRequest, 'headers'>): Promise<void> {
  const bytes = headers['content-length'];
  if (bytes === undefined ? headers['transfer-encoding'] !== undefined : Number(bytes) > LARGE_BYTES) await nextTurn();
}

export function limitOf({ bodyOf, routeOptions: { bodyLimit } }: FastifyRequest): number {
  return bodyOf === undefined ? Math.min(ANONYMOUS_BYTES, bodyLimit) : bodyLimit;
}

/**
 * Accept an empty body with a JSON content type (DECISIONS, Envelopes); reject broken JSON with a clear message, and JSON of more
 * values than its call takes before it is parsed.
 */
export async function readJson(request: FastifyRequest, payload: Readable): Promise<unknown> {
  const limit = limitOf(request);
  const counter = new JsonCounter({ values: limit > LARGE_BYTES ? VALUES_OF_LARGE : USUAL_VALUES, keys: USUAL_VALUES });
  const bytes = await collectBody(request, payload, limit, (chunk) => tooManyOf(counter.add(chunk)));
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

export async function readForm(request: FastifyRequest, payload: Readable): Promise<unknown> {
  let fields = 1;
  const bytes = await collectBody(request, payload, Math.min(FORM_BYTES, limitOf(request)), (chunk) => {
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
export async function collectBody(
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

export function tooLarge(limit: number): DomainError {
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
