import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../failure.ts';
import type { Actor } from '../scope.ts';
import { authenticate, type SessionReader } from './bearer.ts';
import type { AnyOperation, Call, Handler, Routes, UploadedFile, UploadLimit } from './call.ts';
import { invalidRequest } from './faults.ts';
import { patienceFor } from './patience.ts';
import { resolveScope, type OrganizationFinder } from './resolve-scope.ts';
import { isStorable } from './storable.ts';
import { readUpload } from './upload.ts';

/** The largest file an ordinary multipart call takes: a CSV of several hundred thousand rows. */
const ORDINARY_LIMIT: UploadLimit = { maxBytes: 32 * 1_048_576, tooLarge: 'request.too_large' };

export interface RegisterOptions {
  readonly sessions: SessionReader;
  readonly organizations: OrganizationFinder;
  /** Origins that may write with the cookie, beside the address the request itself came to. */
  readonly origins: ReadonlySet<string>;
  /** Check every answer against its schema: on in tests and development, where an answer that differs is a bug. */
  readonly checkAnswers: boolean;
  /** Where files of multipart calls lie until the call is over. */
  readonly spoolFolder: string;
}

interface Incoming {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly file: UploadedFile | undefined;
  discard(): Promise<void>;
}

/** The table of registered operations, in order of registration: what exists, and nothing else, is reachable. */
export class RouteTable implements Routes {
  readonly operations: AnyOperation[] = [];
  readonly #app: FastifyInstance;
  readonly #options: RegisterOptions;

  constructor(app: FastifyInstance, options: RegisterOptions) {
    this.#app = app;
    this.#options = options;
  }

  on<O extends AnyOperation>(operation: O, handler: Handler<O>, limit = ORDINARY_LIMIT): void {
    this.operations.push(operation);
    const url = operation.path.replaceAll(/\{(\w+)\}/gu, ':$1');
    this.#app.route({
      method: operation.method,
      url,
      ...(operation.bodyKind === 'multipart' ? { config: { bodyPatienceMs: patienceFor(limit.maxBytes) } } : {}),
      // A HEAD of a stream would be one that nobody reads.
      exposeHeadRoute: operation.answer !== 'events',
      ...(operation.maxBodyBytes === undefined ? {} : { bodyLimit: operation.maxBodyBytes }),
      handler: (request, reply) => this.#serve(operation, handler, limit, request, reply),
    });
  }

  /** auth → validate → scope → role → handler → answer */
  async #serve<O extends AnyOperation>(
    operation: O,
    handler: Handler<O>,
    limit: UploadLimit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { sessions, origins, spoolFolder } = this.#options;
    const actor = operation.scope === 'public' ? undefined : await authenticate(request, sessions, origins);
    const incoming = await readIncoming(operation, { limit, spoolFolder }, request, reply, actor);
    try {
      refuseUnstorable(incoming);
      const params = parse(operation.params, incoming.params);
      const query = parse(operation.query, incoming.query);
      const body = parse(operation.body, incoming.body);
      const scope = actor === undefined ? undefined : await this.#scopeFor(operation, actor, params, query, body);
      const call = { params, query, body, actor, scope, file: incoming.file, request, reply, address: request.ip };
      const answer = await handler(call as unknown as Call<O>);
      return await this.#send(operation, reply, answer);
    } finally {
      await incoming.discard();
    }
  }

  async #scopeFor(operation: AnyOperation, actor: Actor, ...parts: unknown[]) {
    const asked = { org: askedOrganization(parts), realm: askedFor('realm', parts) };
    const scope = await resolveScope(operation, actor, asked, this.#options.organizations);
    if (!operation.roles.includes(actor.role)) throw new DomainError('permission.denied');
    return scope;
  }

  async #send(operation: AnyOperation, reply: FastifyReply, answer: unknown): Promise<unknown> {
    if (operation.answer === 'events') return reply;
    if (answer instanceof Readable) {
      if (operation.answer === 'json') reply.type('application/json; charset=utf-8');
      return reply.send(answer);
    }
    if (this.#options.checkAnswers) operation.response.parse(answer);
    // We serialize by ourselves: a response serializer costs a third of the throughput and hides what is sent.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  }
}

async function readIncoming(
  operation: AnyOperation,
  { limit, spoolFolder }: { readonly limit: UploadLimit; readonly spoolFolder: string },
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor | undefined,
): Promise<Incoming> {
  const { params, query } = request;
  const discard = () => Promise.resolve();
  if (operation.bodyKind !== 'multipart') return { params, query, body: request.body ?? {}, file: undefined, discard };
  // Somebody who may not call it at all shall not make us spool a file first; what is still coming is cut off with the answer.
  if (actor !== undefined && !operation.roles.includes(actor.role)) {
    reply.header('connection', 'close');
    throw new DomainError('permission.denied');
  }
  const upload = await readUpload(request, limit, spoolFolder);
  return { params, query, body: upload.fields, file: upload.file, discard: () => upload.discard() };
}

/** @throws DomainError `not_found` for a path that can name nothing, `request.invalid` for anything else */
function refuseUnstorable({ params, query, body }: Incoming): void {
  if (!isStorable(params)) throw new DomainError('not_found');
  if (isStorable(query) && isStorable(body)) return;
  throw new DomainError('request.invalid', { message: 'The request holds characters that cannot be stored.' });
}

function parse(schema: AnyOperation['params'], value: unknown): unknown {
  const parsed = schema.safeParse(value ?? {});
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data as unknown;
}

/**
 * The organization a call names; older calls call it their project.
 * @throws DomainError `not_found` when it names two
 */
function askedOrganization(parts: readonly unknown[]): string | undefined {
  const names = (['org', 'project', 'projectId'] as const)
    .map((name) => askedFor(name, parts))
    .filter((name) => name !== undefined && name !== '');
  if (new Set(names.map((name) => name?.toLowerCase())).size > 1) throw new DomainError('not_found');
  return names[0];
}

function askedFor(name: 'org' | 'project' | 'projectId' | 'realm', parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    const value = (part as Record<string, unknown> | undefined)?.[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
