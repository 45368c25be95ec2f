import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../kernel/address.ts';
import { DomainError } from '../../kernel/failure.ts';
import { guard } from '../../kernel/guard.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';
import { readJson, readForm, collectBody, LARGE_BYTES, limitOf, tooLarge } from './collected-bodies.ts';
import { FairQueue, type Party } from './fair-queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that is known and may make this call, set before its body is read; undefined: no one is known. */
    bodyOf: Party | undefined;
  }
  interface FastifyContextConfig {
    /** Its bodies are files, which it limits itself: a large one does not wait for those of other calls. */
    takesFiles?: boolean;
  }
}

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
    } else if (bytes > LARGE_BYTES && request.routeOptions.config.takesFiles !== true) {
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
    String(await collectBody(request, payload, limitOf(request), () => undefined)),
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
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
