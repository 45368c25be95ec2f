import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { ANY_FILE, live } from '@highline/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, required, requireRole, type Actor, type OrganizationFinder, type Scope } from '../../kernel/index.ts';
import { lastStepOfCall, withinCall, type CallSteps } from '../../platform/calls/call-steps.ts';
import { JsonText } from '../../platform/calls/json-text.ts';
import type { Idempotency, IdempotentCall } from '../../platform/idempotency/index.ts';
import type { SlowLog } from '../../platform/process/slow-log.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';
import { authenticate, type KeyReader, type SessionReader } from './bearer.ts';
import type { AnyOperation, Call, Handler, Routes, UploadedFile, UploadLimit } from '../../platform/calls/call.ts';
import { envelope, invalidRequest } from './faults.ts';
import { problemOf } from './request-problems.ts';
import { hashRequest, idempotencyKeyOf, isDryRun } from './idempotency-key.ts';
import { countCall, type CallCounter } from './rate-limits.ts';
import { bodyTimeoutFor } from './body-timeout.ts';
import { readingFrom, type CallReads } from './replica-responses.ts';
import { resolveScope } from './resolve-scope.ts';
import type { Party } from './fair-queue.ts';
import { createQueues, partyOf, type Queues } from './queues.ts';
import { afterLargeBody } from './collected-bodies.ts';
import { Spool } from './spool.ts';
import { isStorable } from './storable.ts';
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
  /** Origin whose pages may write with the cookie, as in `checkOrigin`. */
  readonly ownOrigin: string | undefined;
  /** Check every response against its schema: enabled in tests and development, where a mismatch is a bug. */
  readonly checkResponses: boolean;
  /** Folder for files of multipart calls until the call ends. */
  readonly spoolFolder: string;
  /** A signed-in call of this main account begins. */
  readonly noteTenant?: (mainAccountId: string) => void;
  /** The id of the events so far, for those who follow the changes of what a response shows. */
  readonly lastEventId?: () => string | undefined;
  /** What takes long is logged. */
  readonly slow?: SlowLog | undefined;
  /** Where lists may be read from a replica. */
  readonly replica?: { readonly reads: CallReads; readonly secure: boolean } | undefined;
}

/** A call of a person that failed, as it was checked. */
export interface FailedCall extends CheckedParts {
  readonly operation: string;
  readonly actor: Actor;
}

/** What was sent with a call, as it was checked. */
export interface CheckedParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The header of that name. */
  readonly ifMatch: string | null;
}

/** A body that took longer to arrive: its caller may have lost the session or the key meanwhile. */
const SLOW_BODY_MS = 2_000;

/** SQLSTATE of a relation that the role may not read. */
const NOT_ALLOWED = '42501';

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
  /** The failure that answers a call in place of its own, such as one that a second person has to approve first. */
  afterFailure: (error: unknown, call: FailedCall) => Promise<unknown> = async (error) => error;
  readonly #handlers = new Map<string, Handler<AnyOperation>>();
  readonly #app: FastifyInstance;
  readonly #options: RegisterOptions;
  readonly #queues: Queues = createQueues();
  readonly #spool: Spool;
  readonly #admitted = new WeakMap<FastifyRequest, { readonly actor: Actor; readonly at: number }>();

  constructor(app: FastifyInstance, options: RegisterOptions) {
    this.#app = app;
    this.#options = options;
    this.#spool = new Spool(options.spoolFolder);
  }

  on<O extends AnyOperation>(operation: O, handler: Handler<O>, limit = ORDINARY_LIMIT): void {
    this.operations.push(operation);
    this.#handlers.set(operation.id, handler);
    const url = operation.path.replaceAll(/\{(\w+)\}/gu, ':$1');
    this.#app.route({
      method: operation.method,
      url,
      ...(operation.bodyKind === 'multipart' ? { config: { bodyTimeoutMs: bodyTimeoutFor(limit.maxBytes) } } : {}),
      // A HEAD of an event stream would never end.
      exposeHeadRoute: operation.sends !== 'events',
      bodyLimit: operation.maxBodyBytes,
      onRequest: (request, reply) => this.#admit(operation, request, reply),
      handler: (request, reply) => this.#serve(operation, handler, limit, request, reply),
    });
  }

  /**
   * Make a call that was checked and stored, in the name of its author: without a request, and without an answer.
   * @throws DomainError `not_found` where the organization is gone, `request.invalid` where the call has changed with a new version
   */
  async repeat(
    id: string,
    parts: CheckedParts & { readonly actor: Actor; readonly scope: Scope },
    steps: CallSteps,
  ): Promise<void> {
    const { actor, scope, ifMatch } = parts;
    const operation = required(
      this.operations.find((each) => each.id === id),
      'not_found',
    );
    const handler = required(this.#handlers.get(id), 'not_found');
    const { mainAccountId } = scope;
    if (scope.kind === 'organization') {
      const isThere = await this.#options.organizations.ownsOrganization(
        { kind: 'main', mainAccountId },
        scope.organizationId,
        false,
      );
      if (!isThere) throw new DomainError('not_found', { field: 'org' });
    }
    const call = {
      params: parse(operation.params, parts.params),
      query: parse(operation.query, parts.query),
      body: parse(operation.body, parts.body),
      actor,
      scope: operation.scope === 'account' ? undefined : scope,
      file: undefined,
      request: { headers: ifMatch === null ? {} : { 'if-match': ifMatch } },
      // No one reads its answer.
      reply: { header: () => undefined },
      address: actor.address,
    };
    const limit = operation.scope === 'account' ? undefined : actor.limit;
    // What it writes is also the effect of the call that repeats it, which may have an Idempotency-Key.
    const lastOfOuter = AsyncLocalStorage.bind(lastStepOfCall);
    const last: CallSteps['last'] = async (tx, isEffect) => {
      await lastOfOuter(tx, isEffect);
      await steps.last?.(tx, isEffect);
    };
    await withinCall({ ...steps, last, operation: id, limit }, () => handler(call as unknown as Call<AnyOperation>));
  }

  /** Before anything of a body is read: the caller is known and may make this call. @throws DomainError */
  async #admit(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Answers are specific to one time and one user; cacheable files override this.
    reply.header('cache-control', 'no-store');
    if (operation.scope === 'public') return;
    const actor = await this.#authenticate(operation, request);
    this.#options.noteTenant?.(actor.mainAccountId);
    await countCall(this.#options.counter, actor, reply);
    this.#noteEvents(reply);
    request.bodyOf = partyOf(actor);
    this.#admitted.set(request, { actor, at: performance.now() });
  }

  /** @throws DomainError; which organization is named does not matter, so nothing is disclosed */
  async #authenticate(operation: AnyOperation, request: FastifyRequest): Promise<Actor> {
    const { actor, operations } = await authenticate(request, this.#options);
    if (operations?.has(operation.id) === false)
      throw new DomainError('key.not_allowed', { detail: { operation: operation.id } });
    requireRole(actor, operation);
    return actor;
  }

  /** The caller of an admitted call, once its body was read. @throws DomainError when the session ended while it arrived */
  async #callerOf(operation: AnyOperation, request: FastifyRequest): Promise<Actor | undefined> {
    if (operation.scope === 'public') return undefined;
    const admitted = this.#admitted.get(request);
    if (admitted !== undefined && performance.now() - admitted.at < SLOW_BODY_MS) return admitted.actor;
    return this.#authenticate(operation, request);
  }

  /** admit → read → validate → scope → queue → handler → answer */
  async #serve<O extends AnyOperation>(
    operation: O,
    handler: Handler<O>,
    limit: UploadLimit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { keys } = this.#options;
    rejectUnknownOptions(operation.method, operation.query, request.query);
    const incoming = await this.#readIncoming(operation, limit, request);
    try {
      const actor = await this.#callerOf(operation, request);
      await afterLargeBody(request);
      rejectUnstorable(incoming);
      rejectUnknownOptions(operation.method, operation.body, incoming.body);
      const params = parse(operation.params, incoming.params);
      const query = parse(operation.query, incoming.query);
      const body = parse(operation.body, incoming.body);
      const scope = actor === undefined ? undefined : await this.#scopeFor(operation, actor, params, query, body);
      const call = { params, query, body, actor, scope, file: incoming.file, request, reply, address: addressOfCaller(request) };
      const respondToCall = async (): Promise<unknown> => {
        try {
          return await handler(call as unknown as Call<O>);
        } catch (error) {
          // A table without a rule for limited people (platform/adapters/postgres/limited-tables.ts).
          const isKeptFrom = actor?.limit !== undefined && (error as { readonly code?: unknown }).code === NOT_ALLOWED;
          if (isKeptFrom) throw new DomainError('permission.limited');
          if (actor === undefined) throw error;
          const ifMatch = request.headers['if-match'] ?? null;
          throw await this.afterFailure(error, { operation: operation.id, params, query, body, actor, ifMatch });
        }
      };
      const first: CallSteps['first'] = actor?.key === undefined ? undefined : (tx) => keys.admit(tx, actor.sessionId);
      // Calls of the own account read nothing else.
      const limit = operation.scope === 'account' ? undefined : actor?.limit;
      const respond = (last?: CallSteps['last']): Promise<unknown> => {
        const handle = () => withinCall({ first, last, operation: operation.id, limit }, respondToCall);
        return this.#measured(
          operation,
          this.#inQueue(operation, actor, () => this.#reading(operation, actor, request, reply, handle)),
        );
      };
      const key = idempotencyKeyOf(operation, request);
      // A check writes nothing: it is made again.
      if (key === undefined || actor === undefined || isDryRun(query))
        return await this.#send(operation, reply, await respond(), actor);
      const requestHash = await hashRequest(operation, actor.organizationId, { params, query, body }, incoming.file);
      const once = { owner: actor.key?.id ?? actor.accountId, key, operation: operation.id, requestHash };
      return await this.#sendOnce(operation, reply, once, respond);
    } finally {
      await incoming.discard();
    }
  }

  /** Without the time in which its body or its response is on the way. */
  async #measured(operation: AnyOperation, response: Promise<unknown>): Promise<unknown> {
    const began = performance.now();
    try {
      return await response;
    } finally {
      this.#options.slow?.call(operation.id, performance.now() - began);
    }
  }

  /** Before anything is read: a change that the response does not show has a later event. */
  #noteEvents(reply: FastifyReply): void {
    const id = this.#options.lastEventId?.();
    if (id !== undefined) reply.header(live.EVENT_ID_HEADER, id);
  }

  /** Read a list from the database when its turn comes, into memory and onto disk; its reader may then be slow. */
  async #produce(operation: AnyOperation, source: Readable, party: Party): Promise<Readable> {
    const began = performance.now();
    try {
      const closed = await this.#queues.readers.enter(party);
      try {
        const produced = await this.#queues.lists.enter(party);
        const onProduced = () => {
          produced();
          this.#options.slow?.call(operation.id, performance.now() - began);
        };
        return this.#spool.keep(source, onProduced).once('close', closed);
      } catch (error) {
        closed();
        throw error;
      }
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async #readIncoming(operation: AnyOperation, limit: UploadLimit, request: FastifyRequest): Promise<Incoming> {
    const { params, query, bodyOf } = request;
    if (operation.bodyKind !== 'multipart' || bodyOf === undefined)
      return { params, query, body: request.body ?? {}, file: undefined, discard: () => Promise.resolve() };
    const leave = await this.#queues.uploads.enter(bodyOf);
    try {
      const upload = await readUpload(request, limit, this.#options.spoolFolder);
      return { params, query, body: upload.fields, file: upload.file, discard: () => upload.discard().finally(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  #scopeFor(operation: AnyOperation, actor: Actor, ...parts: unknown[]) {
    const org = requestedOrganization(parts, mayNameGroup(operation, actor, parts));
    const requested = { org, realm: requestedName('realm', parts) };
    return resolveScope(operation, actor, requested, this.#options.organizations);
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

  async #send(operation: AnyOperation, reply: FastifyReply, response: unknown, actor: Actor | undefined): Promise<unknown> {
    if (operation.sends === 'events') return reply;
    if (response instanceof Readable) {
      const stream =
        operation.queue === 'none' || actor === undefined ? response : await this.#produce(operation, response, partyOf(actor));
      if (operation.sends === 'json') reply.type('application/json; charset=utf-8');
      // For clients that know no other type for bytes.
      const { accept } = reply.request.headers;
      if (accept === ANY_FILE && operation.fileTypes?.includes(accept) === true) reply.type(ANY_FILE);
      return reply.send(stream);
    }
    return reply.type('application/json; charset=utf-8').send(this.#serialize(operation, response));
  }

  /** Serialize here: a response serializer costs a third of the throughput and hides what is sent. */
  #serialize(operation: AnyOperation, response: unknown): string {
    const text = response instanceof JsonText ? response.text : JSON.stringify(response);
    if (this.#options.checkResponses) operation.response.parse(response instanceof JsonText ? JSON.parse(text) : response);
    return text;
  }

  /** Run a call with an Idempotency-Key, or repeat the response of the first one (HKS-04). */
  async #sendOnce(
    operation: AnyOperation,
    reply: FastifyReply,
    call: Omit<IdempotentCall, 'hasSecret'>,
    respond: (last: CallSteps['last']) => Promise<unknown>,
  ): Promise<unknown> {
    const run = async (last: CallSteps['last']): Promise<string> => this.#serialize(operation, await respond(last));
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

/** @throws DomainError `not_found` for a path that cannot name anything, `request.invalid` for anything else */
function rejectUnstorable({ params, query, body }: Incoming): void {
  if (!isStorable(params)) throw new DomainError('not_found');
  if (isStorable(query) && isStorable(body)) return;
  throw new DomainError('request.invalid', { message: 'The request contains characters that cannot be stored.' });
}

/** Parameters that change what a writing call does: one that does not have them would do more than its caller wants. */
const WRITE_OPTIONS = ['dryRun', 'confirmed', 'encoding', 'dates'];

/** @throws DomainError `request.invalid` that names the parameter; others are ignored, as programs of the specification send some to every call */
function rejectUnknownOptions(method: AnyOperation['method'], schema: { readonly shape?: object }, sent: unknown): void {
  if (method === 'GET' || typeof sent !== 'object' || sent === null) return;
  const { shape = {} } = schema;
  const unknown = Object.keys(sent).find((name) => isWriteOption(name) && !Object.hasOwn(shape, name));
  if (unknown === undefined) return;
  throw new DomainError('request.invalid', { message: `${unknown}: this call has no such parameter`, field: unknown });
}

/** Whatever its case: `?dryrun=1` is meant as `?dryRun=1`. */
const isWriteOption = (name: string) => WRITE_OPTIONS.some((option) => option.toLowerCase() === name.toLowerCase());

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
    if (!(error instanceof RangeError)) throw error;
    throw new DomainError('request.invalid', { message: 'The body has too many values. Send fewer in one request.' });
  }
}

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
