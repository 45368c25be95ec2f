import { Readable } from 'node:stream';
import { ANY_FILE, live } from '@highline/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type Actor, type OrganizationFinder } from '../../kernel/index.ts';
import { withinCall, type CallSteps } from '../../platform/calls/call-steps.ts';
import type { Idempotency, IdempotentCall } from '../../platform/idempotency/index.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';
import { authenticate, type KeyReader, type SessionReader } from './bearer.ts';
import type { AnyOperation, Call, Handler, Routes, UploadedFile, UploadLimit } from '../../platform/calls/call.ts';
import { envelope, invalidRequest } from './faults.ts';
import { problemOf } from './request-problems.ts';
import { hashRequest, idempotencyKeyOf, isDryRun } from './idempotency-key.ts';
import { countCall, type CallCounter } from './rate-limits.ts';
import { bodyTimeoutFor } from './body-timeout.ts';
import { readingFrom, type CallReads } from './replica-answers.ts';
import { resolveScope } from './resolve-scope.ts';
import type { Party } from './fair-queue.ts';
import { createQueues, partyOf, type Queues } from './queues.ts';
import { Spool } from './spool.ts';
import { hasTooManyValues, isStorable, MAX_VALUES, MAX_VALUES_OF_LARGE } from './storable.ts';
import { readUpload } from './upload.ts';

/** The largest file a multipart call accepts by default: a CSV of several hundred thousand rows. */
const ORDINARY_LIMIT: UploadLimit = { maxBytes: 32 * 1_048_576, tooLarge: 'request.too_large' };

export interface RegisterOptions {
  readonly sessions: SessionReader;
  readonly keys: KeyReader;
  /** Counts calls by API keys. */
  readonly counter: CallCounter;
  readonly idempotency: Idempotency;
  readonly organizations: OrganizationFinder;
  /** Origins that may write with the cookie, in addition to the address of the request itself. */
  readonly origins: ReadonlySet<string>;
  /** Check every answer against its schema: enabled in tests and development, where a mismatch is a bug. */
  readonly checkAnswers: boolean;
  /** Folder for files of multipart calls until the call ends. */
  readonly spoolFolder: string;
  /** A signed-in call of this main account begins. */
  readonly noteTenant?: (mainAccountId: string) => void;
  /** The id of the events so far, for those who follow the changes of what an answer shows. */
  readonly lastEventId?: () => string | undefined;
  /** Where lists may be read from a replica. */
  readonly replica?: { readonly reads: CallReads; readonly secure: boolean } | undefined;
}

/** A body up to this size is read before a rejection, so that its sender sees the answer instead of a reset. */
const SMALL_BODY_BYTES = 1_048_576;

interface Incoming {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly file: UploadedFile | undefined;
  discard(): Promise<void>;
}

/** The table of registered operations, in order of registration: nothing else is reachable. */
export class RouteTable implements Routes {
  readonly operations: AnyOperation[] = [];
  readonly #app: FastifyInstance;
  readonly #options: RegisterOptions;
  readonly #queues: Queues = createQueues();
  readonly #spool: Spool;

  constructor(app: FastifyInstance, options: RegisterOptions) {
    this.#app = app;
    this.#options = options;
    this.#spool = new Spool(options.spoolFolder);
  }

  on<O extends AnyOperation>(operation: O, handler: Handler<O>, limit = ORDINARY_LIMIT): void {
    this.operations.push(operation);
    const url = operation.path.replaceAll(/\{(\w+)\}/gu, ':$1');
    this.#app.route({
      method: operation.method,
      url,
      ...(operation.bodyKind === 'multipart' ? { config: { bodyTimeoutMs: bodyTimeoutFor(limit.maxBytes) } } : {}),
      // A HEAD of an event stream would never end.
      exposeHeadRoute: operation.answer !== 'events',
      ...(operation.maxBodyBytes === undefined ? {} : { bodyLimit: operation.maxBodyBytes }),
      handler: (request, reply) => this.#serve(operation, handler, limit, request, reply),
    });
  }

  /** auth → validate → scope → role → queue → handler → answer */
  async #serve<O extends AnyOperation>(
    operation: O,
    handler: Handler<O>,
    limit: UploadLimit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { keys } = this.#options;
    // Answers are specific to one time and one user; cacheable files override this.
    reply.header('cache-control', 'no-store');
    const caller = operation.scope === 'public' ? undefined : await authenticate(request, this.#options);
    const actor = caller?.actor;
    // Before a body is read; which organization is named does not matter, so nothing is disclosed.
    if (caller?.operations?.has(operation.id) === false) {
      rejectBody(request, reply);
      throw new DomainError('key.not_allowed', { detail: { operation: operation.id } });
    }
    if (actor !== undefined) {
      this.#options.noteTenant?.(actor.mainAccountId);
      await countCall(this.#options.counter, actor, reply).catch((error: unknown) => {
        rejectBody(request, reply);
        throw error;
      });
    }
    if (actor !== undefined) this.#noteEvents(reply);
    const incoming = await this.#readIncoming(operation, limit, request, reply, actor);
    try {
      rejectUnstorable(incoming, mostValues(operation));
      const params = parse(operation.params, incoming.params);
      const query = parse(operation.query, incoming.query);
      const body = parse(operation.body, incoming.body);
      const scope = actor === undefined ? undefined : await this.#scopeFor(operation, actor, params, query, body);
      const call = { params, query, body, actor, scope, file: incoming.file, request, reply, address: addressOfCaller(request) };
      const answerCall = async (): Promise<unknown> => handler(call as unknown as Call<O>);
      const first: CallSteps['first'] = actor?.key === undefined ? undefined : (tx) => keys.admit(tx, actor.sessionId);
      const answer = (last?: CallSteps['last']): Promise<unknown> => {
        const handle = first === undefined && last === undefined ? answerCall : () => withinCall({ first, last }, answerCall);
        return this.#inQueue(operation, actor, () => this.#reading(operation, actor, request, reply, handle));
      };
      const key = idempotencyKeyOf(operation, request);
      // A check writes nothing: it is made again.
      if (key === undefined || actor === undefined || isDryRun(query))
        return await this.#send(operation, reply, await answer(), actor);
      const requestHash = await hashRequest(operation, { params, query, body }, incoming.file);
      const once = { owner: actor.key?.id ?? actor.accountId, key, operation: operation.id, requestHash };
      return await this.#sendOnce(operation, reply, once, answer);
    } finally {
      await incoming.discard();
    }
  }

  /** Before anything is read: a change that the answer does not show has a later event. */
  #noteEvents(reply: FastifyReply): void {
    const id = this.#options.lastEventId?.();
    if (id !== undefined) reply.header(live.EVENT_ID_HEADER, id);
  }

  /** Read a list from the database when its turn comes, into memory and onto disk; its reader may then be slow. */
  async #produce(source: Readable, party: Party): Promise<Readable> {
    try {
      const closed = await this.#queues.readers.enter(party);
      try {
        const produced = await this.#queues.lists.enter(party);
        return this.#spool.keep(source, produced).once('close', closed);
      } catch (error) {
        closed();
        throw error;
      }
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async #readIncoming(
    operation: AnyOperation,
    limit: UploadLimit,
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor | undefined,
  ): Promise<Incoming> {
    const { params, query } = request;
    const discard = () => Promise.resolve();
    if (operation.bodyKind !== 'multipart') return { params, query, body: request.body ?? {}, file: undefined, discard };
    // Reject unauthorized callers before spooling the upload.
    if (actor === undefined || !operation.roles.includes(actor.role)) {
      rejectBody(request, reply);
      throw new DomainError('permission.denied');
    }
    const leave = await this.#queues.uploads.enter(partyOf(actor)).catch((error: unknown) => {
      rejectBody(request, reply);
      throw error;
    });
    try {
      const upload = await readUpload(request, limit, this.#options.spoolFolder);
      return { params, query, body: upload.fields, file: upload.file, discard: () => upload.discard().finally(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #scopeFor(operation: AnyOperation, actor: Actor, ...parts: unknown[]) {
    const requested = {
      org: requestedOrganization(parts, mayNameGroup(operation, actor, parts)),
      realm: requestedName('realm', parts),
    };
    const scope = await resolveScope(operation, actor, requested, this.#options.organizations);
    if (!operation.roles.includes(actor.role)) throw new DomainError('permission.denied');
    return scope;
  }

  #reading<T>(
    operation: AnyOperation,
    actor: Actor | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    handle: () => Promise<T>,
  ): Promise<T> {
    const { replica } = this.#options;
    if (replica === undefined || actor === undefined) return handle();
    return readingFrom(replica.reads, replica.secure, { operation, actor, request, reply }, handle);
  }

  /** Run an expensive call in its queue. */
  #inQueue<T>({ queue }: AnyOperation, actor: Actor | undefined, handle: () => Promise<T>): Promise<T> {
    if (queue === undefined || queue === 'none' || actor === undefined) return handle();
    return this.#queues[queue].run(partyOf(actor), handle);
  }

  async #send(operation: AnyOperation, reply: FastifyReply, answer: unknown, actor: Actor | undefined): Promise<unknown> {
    if (operation.answer === 'events') return reply;
    if (answer instanceof Readable) {
      const stream = operation.queue === 'none' || actor === undefined ? answer : await this.#produce(answer, partyOf(actor));
      if (operation.answer === 'json') reply.type('application/json; charset=utf-8');
      // For clients that know no other type for bytes.
      const { accept } = reply.request.headers;
      if (accept === ANY_FILE && operation.fileTypes?.includes(accept) === true) reply.type(ANY_FILE);
      return reply.send(stream);
    }
    return reply.type('application/json; charset=utf-8').send(this.#serialize(operation, answer));
  }

  /** Serialize here: a response serializer costs a third of the throughput and hides what is sent. */
  #serialize(operation: AnyOperation, answer: unknown): string {
    if (this.#options.checkAnswers) operation.response.parse(answer);
    return JSON.stringify(answer);
  }

  /** Run a call with an Idempotency-Key, or repeat the answer of the first one (HKS-04). */
  async #sendOnce(
    operation: AnyOperation,
    reply: FastifyReply,
    call: Omit<IdempotentCall, 'hasSecret'>,
    answer: (last: CallSteps['last']) => Promise<unknown>,
  ): Promise<unknown> {
    const run = async (last: CallSteps['last']): Promise<string> => this.#serialize(operation, await answer(last));
    const failed = (failure: DomainError) => {
      const { status, body } = envelope(failure);
      return { status, body: JSON.stringify(body) };
    };
    const hasSecret = operation.hasSecret === true;
    const { status, body, isReplayed } = await this.#options.idempotency.once({ ...call, hasSecret }, run, failed);
    if (isReplayed) reply.header('idempotent-replayed', 'true');
    return reply.code(status).type('application/json; charset=utf-8').send(body);
  }
}

/** Close the connection with the answer when a large body is rejected unread; Node reads the rest of a small one. */
function rejectBody(request: FastifyRequest, reply: FastifyReply): void {
  const isSmall = Number(request.headers['content-length']) <= SMALL_BODY_BYTES;
  if (!isSmall) reply.header('connection', 'close');
}

/** @throws DomainError `not_found` for a path that cannot name anything, `request.invalid` for anything else */
function rejectUnstorable({ params, query, body }: Incoming, most: number): void {
  if (!isStorable(params)) throw new DomainError('not_found');
  if (hasTooManyValues(body, most)) throw tooManyValues();
  if (isStorable(query) && isStorable(body)) return;
  throw new DomainError('request.invalid', { message: 'The request contains characters that cannot be stored.' });
}

const mostValues = ({ maxBodyBytes = 0 }: AnyOperation): number =>
  maxBodyBytes > SMALL_BODY_BYTES ? MAX_VALUES_OF_LARGE : MAX_VALUES;

function parse(schema: AnyOperation['params'], value: unknown): unknown {
  const parsed = parsedBy(schema, value ?? {});
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data as unknown;
}

/** @throws DomainError where so many parts are wrong that the schema's list of them does not fit on the stack */
function parsedBy(schema: AnyOperation['params'], value: unknown): ReturnType<typeof schema.safeParse> {
  try {
    return schema.safeParse(value, { error: problemOf });
  } catch (error) {
    throw error instanceof RangeError ? tooManyValues() : error;
  }
}

const tooManyValues = (): DomainError =>
  new DomainError('request.invalid', {
    message: 'The body has too many values. Send fewer in one request.',
  });

/**
 * The organization a call names; older calls name it `project`.
 * @param isGroup `projectId` names a group, or the organization that is known without it
 * @throws DomainError `not_found` when it names two
 */
function requestedOrganization(parts: readonly unknown[], isGroup: boolean): string | undefined {
  const names = (isGroup ? (['org', 'project'] as const) : (['org', 'project', 'projectId'] as const))
    .map((name) => requestedName(name, parts))
    .filter((name) => name !== undefined && name !== '');
  if (new Set(names.map((name) => name?.toLowerCase())).size > 1) throw new DomainError('not_found');
  return names[0];
}

/** Whether the organization of a call is known without its `projectId`, which then may be one of its groups. */
function mayNameGroup({ projectMayBeGroup = false }: AnyOperation, actor: Actor, parts: readonly unknown[]): boolean {
  if (!projectMayBeGroup) return false;
  const hasOwn = actor.role !== 'main' || (actor.key?.organizationId ?? null) !== null;
  return hasOwn || (requestedName('org', parts) ?? '') !== '' || (requestedName('project', parts) ?? '') !== '';
}

function requestedName(name: 'org' | 'project' | 'projectId' | 'realm', parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    const value = (part as Record<string, unknown> | undefined)?.[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
