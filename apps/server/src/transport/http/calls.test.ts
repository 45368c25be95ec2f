import { request as httpRequest } from 'node:http';
import { failures } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { withoutReferences } from '@highline/contract/openapi-references';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../../kernel/failure.ts';
import { send, type Responded } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { buildTenants, type Tenant } from '../../testing/tenants.ts';
import { envelope, invalidRequest } from './faults.ts';

let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await startTestServer();
  tenant = (await buildTenants(server.seeding)).own;
});
afterAll(() => server.close());

const signInPath = '/dmp_aa/api/v1/auth/token';
const to = (path: string) => `${server.url}${path}`;

/** Send exactly this request line, which fetch would normalize. */
function sendRaw(path: string, method = 'GET'): Promise<{ status: number; type: string; text: string }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers: { connection: 'close' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('AUTH-06 the word that signs the console out', () => {
  test('is in the messages of a missing and of a lost session, exactly, and in no other message', () => {
    const holding = Object.entries(failures).filter(([, row]) => /token/iu.test(row.message));
    expect(holding.map(([key, row]) => [key, row.status, row.message])).toEqual([
      ['session.missing', 401, 'Access token not found'],
      ['session.invalid', 401, 'Auth token timeout.'],
    ]);
  });

  test('is sent for a call without a bearer and for one with a bad bearer', async () => {
    const path = to('/dmp_aa/api/v2/auth/introspect/');
    const none = await send(path, { method: 'POST' });
    expect([none.status, none.error()]).toEqual([401, { code: 401, key: 'session.missing', message: 'Access token not found' }]);
    for (const bearer of ['x', 'x'.repeat(43), `${tenant.bearers.user}x`]) {
      const bad = await send(path, { method: 'POST', bearer });
      expect([bad.status, bad.error()]).toEqual([401, { code: 401, key: 'session.invalid', message: 'Auth token timeout.' }]);
    }
  });

  test('is never echoed from a path, a field or a value', async () => {
    const responses = [
      await send(to('/token/Token')),
      await send(to(`/data_manager/v1/dm/group?org=token&realm=token`), { bearer: tenant.bearers.main }),
      await send(to(`/data_manager/v1/dm/devices/token`), { bearer: tenant.bearers.main }),
      await send(to(signInPath), { body: '{"token": token}' }),
      await send(to('/dmp_aa/api/v1/auth/password/forgot'), { body: { email: 'token', language: 'token', token: 1 } }),
      await send(to(signInPath), { body: 'x', headers: { 'content-type': 'application/token' } }),
      await send(to(`/token/${'x'.repeat(400)}`)),
    ];
    for (const response of responses)
      expect([response.status < 500, response.text]).toEqual([true, expect.not.stringMatching(/token/iu)]);
    for (const path of ['/token/%zz', '/dmp_aa/api/v1/accounts/token%', `/dmp_aa/api/v1/accounts/${'token'.repeat(2_000)}`]) {
      const response = await sendRaw(path);
      expect([response.status, response.type, response.text]).toEqual([
        404,
        expect.stringContaining('application/json'),
        expect.not.stringMatching(/token/iu),
      ]);
    }
  });

  test('is removed where a schema or a service includes user input in its message', () => {
    const schema = z.record(z.string(), z.number());
    const named = envelope(invalidRequest(schema.safeParse({ myToken: 'x' }).error!));
    expect(JSON.stringify(named)).not.toMatch(/token/iu);
    const thrown = new DomainError('group.not_found', {
      message: 'The group "Token ring" is gone.',
      field: 'token',
      reason: 'TOKEN',
    });
    expect(JSON.stringify(envelope(thrown))).not.toMatch(/token/iu);
    expect(envelope(new DomainError('session.invalid')).body.error.message).toBe('Auth token timeout.');
  });
});

describe('a body', () => {
  test('that is broken, empty, poisoned or too large gets a clear answer', async () => {
    const broken = await send(to(signInPath), { body: '{"email":' });
    expect([broken.status, broken.error().message]).toEqual([400, 'The body is not valid JSON.']);
    const poisoned = await send(to(signInPath), {
      body: '{"__proto__":{"email":"a","password":"b"},"constructor":{"prototype":{"x":1}}}',
    });
    expect([poisoned.status, poisoned.error().field]).toEqual([400, 'email']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    const large = await send(to(signInPath), { body: JSON.stringify({ email: 'x'.repeat(1_100_000), password: 'x' }) });
    expect([large.status, large.error().key]).toEqual([413, 'request.too_large']);
    const call = (body: string) => send(to('/dmp_aa/api/v2/auth/introspect/'), { bearer: tenant.bearers.user, body });
    const many = await call(JSON.stringify({ email: Array.from({ length: 30_000 }, () => []) }));
    expect([many.status, many.error().message]).toEqual([400, 'The body has too many values. Send fewer in one request.']);
    const deep = await call(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect([deep.status, deep.error().message]).toEqual([400, 'The body is nested too deeply.']);
  });

  test('that is empty with a JSON content type is accepted', async () => {
    for (const body of ['', '  \n']) {
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const response = await send(to('/dmp_aa/api/v2/auth/introspect/'), { bearer: tenant.bearers.user, body, headers });
      expect([response.status, response.json()]).toMatchObject([200, { result: { role: 'vendor' } }]);
    }
  });

  test('of an unknown media type is rejected', async () => {
    const response = await send(to(signInPath), { body: '<a/>', headers: { 'content-type': 'application/xml' } });
    expect([response.status, response.error().key]).toEqual([415, 'request.unsupported_media_type']);
  });

  test('with characters that cannot be stored is rejected before it reaches the database', async () => {
    for (const email of ['a\u0000b@highline.invalid', 'a\ud800b@highline.invalid']) {
      const response = await send(to(signInPath), { body: JSON.stringify({ email, password: 'x' }) });
      expect([response.status, response.error().key]).toEqual([400, 'request.invalid']);
    }
    const query = await send(to('/data_manager/v1/dm/devices?search=%00&limit=5'), { bearer: tenant.bearers.admin });
    expect(query.status).toBe(400);
    expect((await send(to('/dmp_aa/api/v1/accounts/%00'), { bearer: tenant.bearers.admin })).status).toBe(404);
  });

  test('of an upload that is truncated or missing is a fault of the sender', async () => {
    const operation = allOperations.find((one) => one.bodyKind === 'multipart' && one.scope === 'main')!;
    const upload = (body: string, type: string) =>
      send(to(`${operation.path}?org=${tenant.organizationId}`), {
        method: operation.method,
        bearer: tenant.bearers.main,
        body,
        headers: { 'content-type': type },
      });
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nSN,MAC';
    const rejected: Responded[] = [
      await upload(part, 'multipart/form-data; boundary=b'),
      await upload(part, 'multipart/form-data'),
      await upload('', 'multipart/form-data; boundary=b'),
      await upload('{}', 'application/json'),
      await upload(
        `${`--b\r\ncontent-disposition: form-data; name="x"\r\n\r\ny\r\n`.repeat(40)}--b--`,
        'multipart/form-data; boundary=b',
      ),
    ];
    expect(rejected.map((response) => response.status)).toEqual([400, 400, 400, 415, 400]);
  });
});

describe('an address', () => {
  test('that is unknown answers 404 in the envelope, for every accepted type', async () => {
    const missing = { error: { code: 404, key: 'not_found', message: 'Not found' } };
    for (const path of ['/dmp_aa/nothing', '/data_manager/v1/dm', '/elsewhere', '/__proto__', '/constructor'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await send(to(path), { method, headers: { accept: 'text/html' } });
        expect([response.status, response.json()], `${method} ${path}`).toEqual([404, missing]);
      }
  });

  test('may have a trailing slash', async () => {
    const bearer = tenant.bearers.user;
    for (const path of ['/dmp_aa/api/v2/auth/introspect', '/dmp_aa/api/v2/auth/introspect/'])
      expect((await send(to(path), { method: 'POST', bearer })).status).toBe(200);
    expect((await send(to(`/dmp_aa/api/v1/accounts/${tenant.accountId}/`), { bearer })).status).toBe(200);
  });
});

test('answers carry the security headers, and pages get only the data they request by script', async () => {
  const { headers } = await send(to('/livez'));
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect((await send(to('/healthz'))).json()).toMatchObject({ result: 'ready' });
});

describe('API-01-partial API-02-partial the OpenAPI document', () => {
  interface Described {
    readonly operationId: string;
    readonly parameters?: { name: string; in: string; required: boolean }[];
    readonly security: unknown[];
    readonly responses: Record<string, unknown>;
    readonly requestBody?: { content: Record<string, { schema: unknown }> };
  }

  test('lists every operation once, with its path fields, its body and its failures', async () => {
    const document = (await send(to('/openapi.json'))).json<{ openapi: string; paths: object }>();
    // The version that generators of every language read (docs/domains/api-keys.md).
    expect(document.openapi).toBe('3.0.3');
    const paths = withoutReferences(document.paths, { ...document }) as Record<string, Record<string, Described>>;
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(described.map(({ operation }) => operation.operationId).sort()).toEqual(allOperations.map(({ id }) => id).sort());
    for (const { path, method, operation } of described) {
      const declared = allOperations.find(({ id }) => id === operation.operationId)!;
      expect([path, method]).toEqual([declared.path, declared.method.toLowerCase()]);
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name).sort(), declared.id).toEqual(
        [...path.matchAll(/\{(\w+)\}/gu)].map((match) => match[1]!).sort(),
      );
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(Object.keys(operation.responses)).toEqual(['200', 'default']);
      expect(operation.security.length > 0, declared.id).toBe(declared.scope !== 'public');
      expect(operation.requestBody !== undefined).toBe(declared.bodyKind !== 'none');
    }
  });

  test('refers only to schemas it contains', async () => {
    const text = (await send(to('/openapi.json'))).text;
    const document = JSON.parse(text) as Record<string, unknown>;
    const references = [...new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/gu)].map((match) => match[1]!))];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const found = reference
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect(found, reference).toBeDefined();
    }
  });
});

describe('garbage', () => {
  const callable = allOperations.filter(({ sends, id }) => sends !== 'events' && !id.startsWith('accounts.signOut'));
  const text = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '',
      '-1',
      '0',
      '99999999999999999999',
      'NaN',
      'default+group+id',
      '__proto__',
      "'; --",
      '%',
      '\u0000',
      '\ud800',
    ),
    fc.uuid(),
    fc.constantFrom('02/30/2026', '2026-01-01T00:00:00Z', '1e400'),
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    fc.array(text, { maxLength: 3 }),
    fc.jsonValue(),
  );

  const fieldsOf = (schema: unknown): string[] => Object.keys((schema as { shape?: object }).shape ?? {});

  test.each(callable.map((operation) => [operation.id, operation] as const))(
    'in any field of %s is never a fault of ours',
    async (_, operation) => {
      const fields = (schema: unknown, of: fc.Arbitrary<unknown>) =>
        fc.record(Object.fromEntries(fieldsOf(schema).map((name) => [name, of])), { requiredKeys: [] });
      const isMultipart = operation.bodyKind === 'multipart';
      await fc.assert(
        fc.asyncProperty(
          fields(operation.params, text),
          fields(operation.query, text),
          fc.oneof(fields(operation.body, value), value),
          fc.boolean(),
          async (params, query, body, named) => {
            const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_all, name: string) =>
              encodeURIComponent(((params as Record<string, string>)[name] ?? tenant.deviceId).toWellFormed()),
            );
            const search = new URLSearchParams(query as Record<string, string>);
            if (named) search.set('org', tenant.organizationId);
            const withOrg =
              named && typeof body === 'object' && body !== null && !Array.isArray(body)
                ? { ...body, org: tenant.organizationId }
                : body;
            const response = await send(to(`${path}?${search.toString()}`), {
              method: operation.method,
              bearer: tenant.bearers.main,
              ...(operation.bodyKind === 'none' ? {} : { body: JSON.stringify(withOrg) }),
              ...(isMultipart ? { headers: { 'content-type': 'multipart/form-data; boundary=b' } } : {}),
            });
            expect(response.status === 503 || response.status < 500, `${path}?${search.toString()} ${response.text}`).toBe(true);
            if (response.status === 401) throw new Error('The session of the test ended.');
          },
        ),
        { numRuns: 15, seed: 20_260_101 },
      );
    },
  );
});

test('BLK-05-partial a writing call that has no check rejects one before anything is done, in its query and in its body, and ignores other unknown parameters', async () => {
  const writing = allOperations.filter(({ method }) => method !== 'GET');
  const has = (schema: z.ZodType) => schema instanceof z.ZodObject && Object.hasOwn(schema.shape, 'dryRun');
  expect(writing.filter(({ query }) => has(query)).length).toBeGreaterThan(8);
  const bearerOf = ({ scope, roles }: (typeof writing)[number]) =>
    scope === 'public' ? {} : { bearer: tenant.bearers[roles[0]!] };
  const rejected = [400, 'request.invalid', 'dryRun', 'dryRun: this call has no such parameter'];
  for (const operation of writing.filter(({ query }) => !has(query))) {
    const { id, method, path } = operation;
    const response = await send(to(`${path.replaceAll(/\{\w+\}/gu, 'x')}?dryRun=1`), {
      method,
      body: {},
      ...bearerOf(operation),
    });
    const { key, field, message } = response.error();
    expect([id, response.status, key, field, message]).toEqual([id, ...rejected]);
  }
  const create = (query: string, body: object) =>
    send(to(`/data_manager/v1/dm/group${query}`), { bearer: tenant.bearers.admin, body: { name: 'Not made', ...body } });
  for (const query of ['?confirmed=x', '?dryrun', '?encoding=utf-8']) expect((await create(query, {})).status).toBe(400);
  expect((await create('', { dryRun: true })).error().field).toBe('dryRun');
  expect((await create('?vendor=x&_=1', {})).status).toBe(200);
});
