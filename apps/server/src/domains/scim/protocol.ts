import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, newId } from '../../kernel/index.ts';
import { addressOfCaller } from '../../platform/calls/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { isUniqueViolation } from '../../platform/ports/index.ts';
import { addressKeyOf, countTry, limits } from '../accounts/index.ts';
import { listResponse, readListRequest, readProjection } from './answers.ts';
import { secretInvalid, type Directory } from './directory.ts';
import { badRequest, ScimFailure } from './failure.ts';
import { isRecord } from './filter.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  groupVersionOf,
  listDirectoryGroups,
  patchGroup,
  replaceGroup,
  toGroup,
} from './groups.ts';
import { project, type Document } from './resource.ts';
import {
  describeSchema,
  describeType,
  enterpriseSchema,
  groupSchema,
  groupType,
  MESSAGES,
  serviceProviderConfig,
  userSchema,
  userType,
  type ResourceType,
} from './schemas.ts';
import { createSecretReader } from './secret-reader.queries.ts';
import { insertCall } from './secrets.store.ts';
import { createUser, deleteUser, getUser, listUsers, patchUser, replaceUser, toUser, versionOf, type Change } from './users.ts';

export const SCIM_PATH = '/scim/v2';
/** A group with 10,000 people. */
const MOST_BYTES = 1_048_576;
const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const LONGEST_PATH = 300;
const LONGEST_DETAIL = 500;

export interface ProtocolDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Whether an error means that the database is not reachable, and may be soon. */
  readonly isBusy: (error: unknown) => boolean;
  /** The public URL; undefined in the demo, which is reached under any loopback address. */
  readonly publicUrl: string | undefined;
}

/** A kind of resources as the endpoints need it. */
interface Kind {
  readonly type: ResourceType;
  list: typeof listUsers;
  create: typeof createUser;
  replace: typeof replaceUser;
  patch: typeof patchUser;
  remove: typeof deleteUser;
  read(
    deps: ProtocolDeps,
    directory: Directory,
    id: string,
    base: string,
  ): Promise<{ readonly resource: Document; readonly version: string }>;
}

const users: Kind = {
  type: userType,
  list: listUsers,
  create: createUser,
  replace: replaceUser,
  patch: patchUser,
  remove: deleteUser,
  async read(deps, directory, id, base) {
    const row = await getUser(deps, directory, id);
    return { resource: toUser(row, base), version: versionOf(row) };
  },
};

const groups: Kind = {
  type: groupType,
  list: listDirectoryGroups,
  create: createGroup,
  replace: replaceGroup,
  patch: patchGroup,
  remove: deleteGroup,
  async read(deps, directory, id, base) {
    const row = await getGroup(deps, directory, id);
    return { resource: toGroup(row, base), version: groupVersionOf(row) };
  },
};

interface IdRoute {
  Params: { id: string };
}

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

function registerDiscovery(routes: FastifyInstance): void {
  const send = (reply: FastifyReply, body: unknown) => reply.type(MEDIA_TYPE).send(JSON.stringify(body));
  const all = (resources: readonly unknown[]) => ({
    schemas: [`${MESSAGES}:ListResponse`],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  });
  const described = [
    { url: '/Schemas', resources: [userSchema, enterpriseSchema, groupSchema].map(describeSchema) },
    { url: '/ResourceTypes', resources: [userType, groupType].map(describeType) },
  ];
  routes.get('/ServiceProviderConfig', async (request, reply) => {
    rejectFilter(request);
    return send(reply, serviceProviderConfig);
  });
  for (const { url, resources } of described) {
    routes.get(url, async (request, reply) => {
      rejectFilter(request);
      return send(reply, all(resources));
    });
    routes.get<IdRoute>(`${url}/:id`, async ({ params }, reply) => {
      const found = resources.find(({ id }) => id.toLowerCase() === params.id.toLowerCase());
      if (found === undefined) throw new ScimFailure(404, 'There is nothing at this address.');
      return send(reply, found);
    });
  }
}

/** RFC 7644, 4: what describes the server is not searched. */
function rejectFilter({ query }: FastifyRequest): void {
  if (isRecord(query) && query['filter'] !== undefined) throw new ScimFailure(403, 'There is no filter here.');
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
    return reply.type(MEDIA_TYPE).send(JSON.stringify(listResponse(type, requested, page)));
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

/** What the client gets of an error; only unknown ones are faults of ours, and only they are logged as such. */
function failureOf(
  { isBusy, log }: ProtocolDeps,
  request: FastifyRequest,
  error: unknown,
): ScimFailure & { retryAfter?: number } {
  if (error instanceof ScimFailure) return error;
  if (isUniqueViolation(error)) return new ScimFailure(409, 'This name or address is taken.', 'uniqueness');
  if (error instanceof DomainError) return failureOfDomain(error);
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ScimFailure(413, 'The body is too large.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ScimFailure(415, 'Send application/scim+json.');
  if (isBusy(error)) return Object.assign(new ScimFailure(503, 'The database is not reachable. Try again.'), { retryAfter: 2 });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ScimFailure(400, 'The request is not valid.', 'invalidSyntax');
  log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'A call of a directory failed unexpectedly.');
  return new ScimFailure(500, 'Something went wrong here. It was logged.');
}

function failureOfDomain({ key, message, more }: DomainError): ScimFailure & { retryAfter?: number } {
  switch (key) {
    case 'account.exists':
      return new ScimFailure(409, 'This name or address is taken.', 'uniqueness');
    case 'account.too_many_tries':
      return Object.assign(new ScimFailure(429, 'Too many requests. Try again later.'), { retryAfter: more.retryAfter ?? 60 });
    case 'not_found':
      return new ScimFailure(404, 'There is nothing at this address.');
    case 'request.too_large':
      return new ScimFailure(413, message);
    case 'request.unsupported_media_type':
      return new ScimFailure(415, 'Send application/scim+json.');
    case 'server.busy':
      return Object.assign(new ScimFailure(503, message), { retryAfter: more.retryAfter ?? 2 });
    default:
      return new ScimFailure(400, message, 'invalidSyntax');
  }
}

/** RFC 7644, 3.12 */
const errorOf = ({ status, scimType, message }: ScimFailure) => ({
  schemas: [`${MESSAGES}:Error`],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail: message,
});

/** Keep a call for the admins of the organization to see; that this fails is no fault of the call. */
async function noteCall(
  { database, clock, log }: ProtocolDeps,
  { scope, actor }: Directory,
  request: FastifyRequest,
  status: number,
  detail: string,
): Promise<void> {
  const now = clock.now();
  const path = request.url
    .slice(SCIM_PATH.length, SCIM_PATH.length + LONGEST_PATH)
    .toWellFormed()
    .replaceAll('\0', '');
  const call = {
    id: newId(now.getTime()),
    at: now,
    method: request.method,
    path,
    status,
    detail: detail.slice(0, LONGEST_DETAIL).toWellFormed().replaceAll('\0', ''),
    address: actor.address,
  };
  try {
    await database.write(async (tx) => {
      await insertCall(tx, scope, call);
      await announce(tx, scope, 'scim', []);
    });
  } catch (error) {
    log.warn({ err: error }, 'A call of a directory could not be noted.');
  }
}
