import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressOfCaller } from '../../platform/calls/index.ts';
import { addressKeyOf, countTry, limits } from '../accounts/index.ts';
import { readListRequest, readProjection, writeListResponse } from './answers.ts';
import { secretInvalid, type Directory } from './directory.ts';
import { registerDiscovery, MEDIA_TYPE, type IdRoute } from './discovery.ts';
import { badRequest, ScimFailure } from './failure.ts';
import { isRecord } from './stored-values.ts';
import { noteCall, SCIM_PATH } from './recorded-calls.ts';
import { type Kind, users, groups } from './resource-kinds.ts';
import { project } from './resource.ts';
import { failureOf, errorOf, type ProtocolDeps } from './responses.ts';
import { createSecretReader } from './secret-reader.queries.ts';
import type { Change } from './users.ts';

/** A group with 10,000 people. */
const MOST_BYTES = 1_048_576;

/**
 * SCIM 2.0 (RFC 7643, 7644): the directory of an organization keeps its people and groups here (IAM-02). It describes itself at `/Schemas`
 * and is no call of the console, so the contract does not have it.
 */
export function registerScim(app: FastifyInstance, deps: ProtocolDeps): void {
  const directories = new WeakMap<FastifyRequest, Directory>();
  const directoryOf = (request: FastifyRequest): Directory => {
    const directory = directories.get(request);
    if (directory === undefined) throw secretInvalid();
    return directory;
  };

  void app.register(
    (routes, _, done) => {
      // Without a valid secret nothing more is read, neither a body nor an address.
      routes.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const directory = await authenticate(deps, request);
        request.bodyOf = { account: directory.secretId, tenant: directory.scope.organizationId };
        directories.set(request, directory);
        await countTry(deps.database, limits.directory, directory.scope.organizationId, deps.clock.now());
      });
      routes.setErrorHandler(async (error, request, reply) => {
        const failure = failureOf(deps, request, error);
        const directory = directories.get(request);
        if (directory !== undefined) await noteCall(deps, directory, request, failure.status, failure.message);
        if (failure.retryAfter !== undefined) reply.header('retry-after', Math.ceil(failure.retryAfter));
        if (failure.status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM"');
        await reply
          .code(failure.status)
          .type(MEDIA_TYPE)
          .send(JSON.stringify(errorOf(failure)));
      });
      routes.addHook('onResponse', async (request, reply) => {
        const directory = directories.get(request);
        const isChange = !['GET', 'HEAD'].includes(request.method) && !request.url.includes('/.search');
        if (directory !== undefined && isChange && reply.statusCode < 400)
          await noteCall(deps, directory, request, reply.statusCode, '');
      });
      registerDiscovery(routes);
      for (const kind of [users, groups]) registerResources(routes, deps, kind, directoryOf);
      // Who calls is a program, not one of the people.
      for (const url of ['/Me', '/Bulk'])
        routes.all(url, () => {
          throw new ScimFailure(501, 'This is not supported.');
        });
      routes.all('/*', () => {
        throw new ScimFailure(404, 'There is nothing at this address.');
      });
      done();
    },
    { prefix: SCIM_PATH },
  );
}

async function authenticate(deps: ProtocolDeps, request: FastifyRequest): Promise<Directory> {
  const secret = /^Bearer +(\S{1,200})$/iu.exec(request.headers.authorization ?? '')?.[1];
  const address = addressOfCaller(request);
  const found = secret === undefined ? undefined : await createSecretReader(deps).read(secret, address);
  if (found === undefined) {
    await countTry(deps.database, limits.directoryAddress, addressKeyOf(address), deps.clock.now());
    throw secretInvalid();
  }
  const { id, name, hint, main_account_id: mainAccountId, organization_id: organizationId } = found;
  return {
    scope: { kind: 'organization', mainAccountId, organizationId },
    secretId: id,
    actor: {
      accountId: null,
      email: 'SCIM',
      role: 'directory',
      address,
      key: { id, label: `${name} (${hint})`, organizationId },
    },
  };
}

function registerResources(
  routes: FastifyInstance,
  deps: ProtocolDeps,
  kind: Kind,
  directoryOf: (request: FastifyRequest) => Directory,
): void {
  const { type } = kind;
  const { endpoint } = type;
  const baseOf = (request: FastifyRequest) => `${deps.publicUrl ?? `${request.protocol}://${request.host}`}${SCIM_PATH}`;
  const sendList = async (request: FastifyRequest, reply: FastifyReply, sent: unknown) => {
    const requested = readListRequest(isRecord(sent) ? sent : {});
    const page = await kind.list(deps, directoryOf(request), requested, baseOf(request));
    return reply.type(MEDIA_TYPE).send(await writeListResponse(type, requested, page));
  };
  const sendOne = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const projection = readProjection(isRecord(request.query) ? request.query : {});
    const { resource, version } = await kind.read(deps, directoryOf(request), id, baseOf(request));
    reply.header('etag', version).header('location', `${baseOf(request)}${endpoint}/${id}`);
    const isKnown = request.method === 'GET' && tagsOf(request.headers['if-none-match'])?.(version) === true;
    if (isKnown) return reply.code(304).send();
    return reply.type(MEDIA_TYPE).send(JSON.stringify(project(type, resource, projection)));
  };
  const changeOf = (request: FastifyRequest): Change => ({ body: bodyOf(request), isCurrent: isCurrentFor(request) });

  routes.get(endpoint, async (request, reply) => sendList(request, reply, request.query));
  routes.post(`${endpoint}/.search`, { bodyLimit: MOST_BYTES }, async (request, reply) =>
    sendList(request, reply, bodyOf(request)),
  );
  routes.post(endpoint, { bodyLimit: MOST_BYTES }, async (request, reply) => {
    const id = await kind.create(deps, directoryOf(request), bodyOf(request));
    return sendOne(request, reply.code(201), id);
  });
  routes.get<IdRoute>(`${endpoint}/:id`, async (request, reply) => sendOne(request, reply, request.params.id));
  routes.put<IdRoute>(`${endpoint}/:id`, { bodyLimit: MOST_BYTES }, async (request, reply) => {
    await kind.replace(deps, directoryOf(request), request.params.id, changeOf(request));
    return sendOne(request, reply, request.params.id);
  });
  routes.patch<IdRoute>(`${endpoint}/:id`, { bodyLimit: MOST_BYTES }, async (request, reply) => {
    await kind.patch(deps, directoryOf(request), request.params.id, changeOf(request));
    return sendOne(request, reply, request.params.id);
  });
  routes.delete<IdRoute>(`${endpoint}/:id`, async (request, reply) => {
    await kind.remove(deps, directoryOf(request), request.params.id, isCurrentFor(request));
    return reply.code(204).send();
  });
}

function bodyOf({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) throw badRequest('invalidSyntax', 'The body is a JSON object.');
  return body;
}

/** Whether a version is one of a header; a weak tag is the same. Undefined without the header, and for `*`. */
function tagsOf(header: string | undefined): ((version: string) => boolean) | undefined {
  if (header === undefined || header.trim() === '' || header.trim() === '*') return undefined;
  const plain = (tag: string) => tag.trim().replace(/^W\//u, '');
  const tags = new Set(header.split(',').map(plain));
  return (version) => tags.has(plain(version));
}

const isCurrentFor = ({ headers }: FastifyRequest) => tagsOf(headers['if-match']) ?? (() => true);
