import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './testing/server.ts';
import { buildTenants, type Tenant, type Tenants } from './testing/tenants.ts';

// The calls of the account service as the two parts print them, written out by hand: method, path, payload and what comes back do
// not follow from the contract here, so a slip in the contract shows.

let server: TestServer;
let tenants: Tenants;
let documented: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  server = await startTestServer();
  tenants = await buildTenants(server.database, server.seeding);
  documented = ((await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: typeof documented }).paths;
});
afterAll(() => server.close());

type Encoding = 'json' | 'form';
interface Printed {
  readonly call: string;
  /** The path as printed, with what the tenant fills in. */
  readonly path: (tenant: Tenant) => string;
  /** Its key in the OpenAPI document. */
  readonly documentedAs: string;
  readonly as: 'main' | 'admin' | 'user';
  /** A role of the own organization that may not. */
  readonly notAs?: 'admin' | 'user';
  readonly encoding?: Encoding;
  readonly payload?: (tenant: Tenant) => object;
  /** What of the answer the parts name. */
  readonly answer: (tenant: Tenant) => unknown;
  /** Payload or path that is refused in plain words. */
  readonly refused?: { readonly payload: (tenant: Tenant) => object; readonly field: string };
  /** Whether it names an organization or account that another main account may not reach. */
  readonly names?: true;
}

const account = (tenant: Tenant) => expect.objectContaining({ id: expect.any(String), vendor: tenant.mainAccountId });
const fresh = () => `${randomUUID()}@highline.example`;

const printed: readonly Printed[] = [
  {
    call: 'POST /dmp_aa/api/v2/auth/introspect/',
    path: () => '/dmp_aa/api/v2/auth/introspect/',
    documentedAs: '/dmp_aa/api/v2/auth/introspect/',
    as: 'main',
    answer: (tenant) => ({
      result: expect.objectContaining({
        id: tenant.people.main,
        email: expect.stringContaining('@'),
        role: 'vendorSuper',
        scopes: [expect.objectContaining({ permissions: expect.arrayContaining(['create.theSameVendor']) })],
      }),
    }),
  },
  {
    call: 'GET /dmp_aa/api/v1/accounts/{id}',
    path: (tenant) => `/dmp_aa/api/v1/accounts/${tenant.accountId}`,
    documentedAs: '/dmp_aa/api/v1/accounts/{id}',
    as: 'admin',
    answer: (tenant) => ({
      result: expect.objectContaining({
        id: tenant.accountId,
        name: expect.any(String),
        email: expect.any(String),
        vendor: tenant.mainAccountId,
        roles: [expect.objectContaining({ roles: [`r.${tenant.organizationId}.vendor`] })],
        serviceRoleMap: { [tenant.organizationId]: 'vendor' },
        role: 'vendor',
        customData: expect.any(Object),
      }),
    }),
    names: true,
  },
  {
    call: 'GET /dmp_aa/api/v1/accounts/',
    path: (tenant) => `/dmp_aa/api/v1/accounts/?org=${tenant.organizationId}`,
    documentedAs: '/dmp_aa/api/v1/accounts/',
    as: 'admin',
    notAs: 'user',
    answer: (tenant) => ({
      result: { list: expect.arrayContaining([expect.objectContaining({ id: tenant.accountId })]) },
    }),
    names: true,
  },
  {
    call: 'GET /dmp_aa/api/v1/services/',
    path: () => '/dmp_aa/api/v1/services/',
    documentedAs: '/dmp_aa/api/v1/services/',
    as: 'main',
    answer: organizationsOf,
  },
  {
    call: 'GET /dmp_aa/api/v1/services/?founder=true',
    path: () => '/dmp_aa/api/v1/services/?founder=true',
    documentedAs: '/dmp_aa/api/v1/services/',
    as: 'main',
    answer: organizationsOf,
  },
  {
    call: 'GET /dmp_aa/api/v1/login/status/{org}',
    path: (tenant) => `/dmp_aa/api/v1/login/status/${tenant.organizationId}`,
    documentedAs: '/dmp_aa/api/v1/login/status/{org}',
    as: 'user',
    answer: () => ({
      result: { allUserNum: expect.any(Number), onlineUserNum: expect.any(Number), offlineUserNum: expect.any(Number) },
    }),
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/services/',
    path: () => '/dmp_aa/api/v1/services/',
    documentedAs: '/dmp_aa/api/v1/services/',
    as: 'main',
    notAs: 'admin',
    payload: () => ({ name: 'Harbour line', tags: ['ferries'], type: 'project', phone: '+1 206 555 0100', address: 'Pier 52' }),
    answer: () => ({ result: expect.objectContaining({ id: expect.any(String) }) }),
    refused: { payload: () => ({ name: '' }), field: 'name' },
  },
  {
    call: 'PUT /dmp_aa/api/v1/services/{id}',
    path: (tenant) => `/dmp_aa/api/v1/services/${tenant.organizationId}`,
    documentedAs: '/dmp_aa/api/v1/services/{org}',
    as: 'main',
    notAs: 'admin',
    payload: () => ({ name: 'Hill depot', address: '9 Hill Road', phone: '+1 206 555 0177', tags: [] }),
    answer: (tenant) => ({
      result: expect.objectContaining({ id: tenant.organizationId, name: 'Hill depot', phone: '+1 206 555 0177', tags: [] }),
    }),
    refused: { payload: () => ({ name: 'x'.repeat(201) }), field: 'name' },
    names: true,
  },
  {
    call: 'GET /dmp_aa/api/v1/services/{projectId}',
    path: (tenant) => `/dmp_aa/api/v1/services/${tenant.organizationId}`,
    documentedAs: '/dmp_aa/api/v1/services/{org}',
    as: 'user',
    answer: (tenant) => ({
      result: { list: expect.arrayContaining([expect.objectContaining({ serial_number: tenant.serial })]) },
    }),
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/vendorAccounts/ (org contact)',
    path: () => '/dmp_aa/api/v1/vendorAccounts/',
    documentedAs: '/dmp_aa/api/v1/vendorAccounts/',
    as: 'main',
    notAs: 'user',
    payload: (tenant) => ({
      email: fresh(),
      name: 'Rosa',
      role: `r.${tenant.organizationId}.vendor`,
      vendor: tenant.mainAccountId,
      serviceContacter: true,
    }),
    answer: (tenant) => ({ result: account(tenant) }),
    refused: {
      payload: (tenant) => ({ email: 'nobody', name: 'Rosa', role: `r.${tenant.organizationId}.vendor` }),
      field: 'email',
    },
    names: true,
  },
  {
    call: 'POST account creation helper',
    path: () => '/dmp_aa/api/v1/vendorAccounts/',
    documentedAs: '/dmp_aa/api/v1/vendorAccounts/',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({
      serviceRole: `r.${tenant.organizationId}.vendor`,
      role: 'r.kmpService.vendor',
      vendor: tenant.mainAccountId,
      name: 'Emil',
      email: fresh(),
    }),
    answer: (tenant) => ({ result: account(tenant) }),
    refused: {
      payload: (tenant) => ({
        serviceRole: `r.${tenant.organizationId}.owner`,
        role: 'r.kmpService.vendor',
        name: 'Emil',
        email: fresh(),
      }),
      field: 'role',
    },
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/roles/',
    path: () => '/dmp_aa/api/v1/roles/',
    documentedAs: '/dmp_aa/api/v1/roles/',
    as: 'main',
    notAs: 'admin',
    payload: (tenant) => ({
      id: tenant.looseAccountId,
      role: `r.${tenant.organizationId}.vendor`,
      vendor: tenant.mainAccountId,
      serviceContacter: true,
    }),
    answer: (tenant) => ({
      result: expect.objectContaining({
        id: tenant.looseAccountId,
        roles: [expect.objectContaining({ roles: [`r.${tenant.organizationId}.vendor`] })],
      }),
    }),
    refused: { payload: (tenant) => ({ id: tenant.looseAccountId, role: 'r.nothing' }), field: 'role' },
    names: true,
  },
  {
    call: 'PUT /dmp_aa/api/v1/accounts/{id}',
    path: (tenant) => `/dmp_aa/api/v1/accounts/${tenant.accountId}`,
    documentedAs: '/dmp_aa/api/v1/accounts/{id}',
    as: 'admin',
    notAs: 'user',
    encoding: 'form',
    payload: (tenant) => ({ vendor: tenant.mainAccountId, name: 'Renamed' }),
    answer: (tenant) => ({ result: expect.objectContaining({ id: tenant.accountId, name: 'Renamed' }) }),
    refused: { payload: (tenant) => ({ vendor: tenant.mainAccountId, name: '' }), field: 'name' },
    names: true,
  },
  {
    call: 'PUT /dmp_aa/api/v1/roles/',
    path: () => '/dmp_aa/api/v1/roles/',
    documentedAs: '/dmp_aa/api/v1/roles/',
    as: 'admin',
    notAs: 'user',
    encoding: 'form',
    payload: (tenant) => ({
      id: tenant.accountId,
      original: `r.${tenant.organizationId}.vendor`,
      target: `r.${tenant.organizationId}.super`,
      vendor: tenant.mainAccountId,
    }),
    answer: (tenant) => ({ result: expect.objectContaining({ id: tenant.accountId, role: 'super' }) }),
    refused: {
      payload: (tenant) => ({
        id: tenant.accountId,
        original: `r.${tenant.organizationId}.vendor`,
        target: `r.${tenant.organizationId}.emperor`,
      }),
      field: 'target',
    },
    names: true,
  },
  {
    call: 'DELETE /dmp_aa/api/v1/accounts/{id}',
    path: (tenant) => `/dmp_aa/api/v1/accounts/${tenant.accountId}?vendor=${tenant.mainAccountId}`,
    documentedAs: '/dmp_aa/api/v1/accounts/{id}',
    as: 'admin',
    notAs: 'user',
    answer: () => ({ result: { deleted: 1 } }),
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/auth/allTokenLogout',
    path: () => '/dmp_aa/api/v1/auth/allTokenLogout',
    documentedAs: '/dmp_aa/api/v1/auth/allTokenLogout',
    as: 'user',
    answer: () => ({ result: { ended: expect.any(Number) } }),
  },
];

function organizationsOf(tenant: Tenant): unknown {
  const organization = expect.objectContaining({
    id: tenant.organizationId,
    name: tenant.name,
    type: 'project',
    tags: [],
    phone: '',
    address: '',
    contacter: expect.any(String),
    contacts: expect.any(Array),
    expireDevices: expect.stringMatching(/^\d+\/\d+$/u),
  });
  return { result: { list: expect.arrayContaining([organization]) } };
}

const methodOf = ({ call }: Printed) => (/^(?:GET|POST|PUT|DELETE)\b/u.exec(call) ?? ['POST'])[0];

async function send(one: Printed, tenant: Tenant, bearer: string | undefined, payload = one.payload?.(tenant)) {
  const method = methodOf(one);
  const isForm = one.encoding === 'form';
  const response = await fetch(`${server.url}${one.path(tenant)}`, {
    method,
    headers: {
      accept: 'application/json',
      // The console of the parts says JSON also where nothing follows.
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(payload === undefined
      ? {}
      : { body: isForm ? new URLSearchParams(payload as Record<string, string>).toString() : JSON.stringify(payload) }),
  });
  return {
    status: response.status,
    body: (await response.json()) as { error?: { message: string; field?: string; code: number } },
  };
}

test('API-01 POST /dmp_aa/api/v1/auth/login, without a body and without a bearer, answers the address of the frame in data', async () => {
  const answer = await fetch(`${server.url}/dmp_aa/api/v1/auth/login`, { method: 'POST' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ data: expect.stringMatching(/^https?:\/\//u) });
  expect(documented['/dmp_aa/api/v1/auth/login']).toHaveProperty('post');
});

test.each(printed.map((one) => [one.call, one] as const))(
  'API-01 %s is there as printed: documented, validated, answered, and refused to others',
  async (_, one) => {
    expect(documented[one.documentedAs], 'documented in OpenAPI').toHaveProperty(methodOf(one).toLowerCase());
    // A tenant of its own: what the call before it changed does not show.
    const tenant = await tenants.another();
    const bearer = tenant.bearers[one.as];

    expect(await send(one, tenant, undefined)).toMatchObject({
      status: 401,
      body: { error: { message: 'Access token not found' } },
    });
    expect(await send(one, tenant, 'never-issued')).toMatchObject({
      status: 401,
      body: { error: { message: 'Auth token timeout.' } },
    });
    if (one.notAs !== undefined)
      expect(await send(one, tenant, tenant.bearers[one.notAs])).toMatchObject({
        status: 403,
        body: { error: { message: 'Permission denied' } },
      });
    if (one.names) {
      for (const foreign of [tenants.foreign.bearers.main, tenants.foreign.bearers.admin]) {
        const { status, body } = await send(one, tenant, foreign);
        expect([403, 404], JSON.stringify(body)).toContain(status);
        expect(JSON.stringify(body)).not.toContain(tenant.name);
      }
    }
    if (one.refused) {
      const { status, body } = await send(one, tenant, bearer, one.refused.payload(tenant));
      expect([status, body.error?.field], JSON.stringify(body)).toEqual([400, one.refused.field]);
      expect(body.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    }
    const { status, body } = await send(one, tenant, bearer);
    expect([status, body]).toEqual([200, expect.objectContaining(one.answer(tenant) as object)]);
  },
);
