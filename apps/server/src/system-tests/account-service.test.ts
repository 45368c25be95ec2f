import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { responsesOf, openExampleServer, type PrintedCall } from '../testing/documented-call.ts';
import type { Tenant } from '../testing/tenants.ts';

// The calls of the account service as documented in the product spec.

const fixture = openExampleServer();

const account = (tenant: Tenant) => expect.objectContaining({ id: expect.any(String), vendor: tenant.mainAccountId });
const fresh = () => `${randomUUID()}@highline.example`;

const printed: readonly PrintedCall[] = [
  {
    call: 'POST /dmp_aa/api/v2/auth/introspect/',
    as: 'main',
    response: (tenant) => ({
      result: expect.objectContaining({
        id: tenant.users.main,
        email: expect.stringContaining('@'),
        role: 'vendorSuper',
        scopes: [expect.objectContaining({ permissions: expect.arrayContaining(['create.theSameVendor']) })],
      }),
    }),
  },
  {
    call: 'GET /dmp_aa/api/v1/accounts/{id}',
    path: (tenant) => `/dmp_aa/api/v1/accounts/${tenant.accountId}`,
    as: 'admin',
    response: (tenant) => ({
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
    as: 'admin',
    notAs: 'user',
    response: (tenant) => ({
      result: { list: expect.arrayContaining([expect.objectContaining({ id: tenant.accountId })]) },
    }),
    names: true,
  },
  {
    call: 'GET /dmp_aa/api/v1/services/',
    as: 'main',
    response: organizationsOf,
  },
  {
    call: 'GET /dmp_aa/api/v1/services/?founder=true',
    as: 'main',
    response: organizationsOf,
  },
  {
    call: 'GET /dmp_aa/api/v1/login/status/{org}',
    path: (tenant) => `/dmp_aa/api/v1/login/status/${tenant.organizationId}`,
    as: 'user',
    response: () => ({
      result: { allUserNum: expect.any(Number), onlineUserNum: expect.any(Number), offlineUserNum: expect.any(Number) },
    }),
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/services/',
    as: 'main',
    notAs: 'admin',
    payload: () => ({ name: 'Harbour line', tags: ['ferries'], type: 'project', phone: '+1 206 555 0100', address: 'Pier 52' }),
    response: () => ({ result: expect.objectContaining({ id: expect.any(String) }) }),
    rejected: { payload: () => ({ name: '' }), field: 'name' },
  },
  {
    call: 'PUT /dmp_aa/api/v1/services/{id}',
    path: (tenant) => `/dmp_aa/api/v1/services/${tenant.organizationId}`,
    documentedAs: '/dmp_aa/api/v1/services/{org}',
    as: 'main',
    notAs: 'admin',
    payload: () => ({ name: 'Hill depot', address: '9 Hill Road', phone: '+1 206 555 0177', tags: [] }),
    response: (tenant) => ({
      result: expect.objectContaining({ id: tenant.organizationId, name: 'Hill depot', phone: '+1 206 555 0177', tags: [] }),
    }),
    rejected: { payload: () => ({ name: 'x'.repeat(201) }), field: 'name' },
    names: true,
  },
  {
    call: 'GET /dmp_aa/api/v1/services/{projectId}',
    path: (tenant) => `/dmp_aa/api/v1/services/${tenant.organizationId}`,
    documentedAs: '/dmp_aa/api/v1/services/{org}',
    as: 'user',
    response: (tenant) => ({
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
    response: (tenant) => ({ result: account(tenant) }),
    rejected: {
      payload: (tenant) => ({ email: 'no-address', name: 'Rosa', role: `r.${tenant.organizationId}.vendor` }),
      field: 'email',
    },
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/vendorAccounts/ (account creation helper)',
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
    response: (tenant) => ({ result: account(tenant) }),
    rejected: {
      payload: (tenant) => ({
        serviceRole: `r.${tenant.organizationId}.owner`,
        role: 'r.kmpService.vendor',
        name: 'Emil',
        email: fresh(),
      }),
      field: 'serviceRole',
    },
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/roles/',
    as: 'main',
    notAs: 'admin',
    payload: (tenant) => ({
      id: tenant.looseAccountId,
      role: `r.${tenant.organizationId}.vendor`,
      vendor: tenant.mainAccountId,
      serviceContacter: true,
    }),
    response: (tenant) => ({
      result: expect.objectContaining({
        id: tenant.looseAccountId,
        roles: [expect.objectContaining({ roles: [`r.${tenant.organizationId}.vendor`] })],
      }),
    }),
    rejected: { payload: (tenant) => ({ id: tenant.looseAccountId, role: 'r.nothing' }), field: 'role' },
    names: true,
  },
  {
    call: 'PUT /dmp_aa/api/v1/accounts/{id}',
    path: (tenant) => `/dmp_aa/api/v1/accounts/${tenant.accountId}`,
    as: 'admin',
    notAs: 'user',
    encoding: 'form',
    payload: (tenant) => ({ vendor: tenant.mainAccountId, name: 'Renamed' }),
    response: (tenant) => ({ result: expect.objectContaining({ id: tenant.accountId, name: 'Renamed' }) }),
    rejected: { payload: (tenant) => ({ vendor: tenant.mainAccountId, name: '' }), field: 'name' },
    names: true,
  },
  {
    call: 'PUT /dmp_aa/api/v1/roles/',
    as: 'admin',
    notAs: 'user',
    encoding: 'form',
    payload: (tenant) => ({
      id: tenant.accountId,
      original: `r.${tenant.organizationId}.vendor`,
      target: `r.${tenant.organizationId}.super`,
      vendor: tenant.mainAccountId,
    }),
    response: (tenant) => ({ result: expect.objectContaining({ id: tenant.accountId, role: 'super' }) }),
    rejected: {
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
    as: 'admin',
    notAs: 'user',
    response: () => ({ result: { deleted: 1 } }),
    names: true,
  },
  {
    call: 'POST /dmp_aa/api/v1/auth/allTokenLogout',
    as: 'user',
    response: () => ({ result: { ended: expect.any(Number) } }),
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

test('API-01 POST /dmp_aa/api/v1/auth/login, without a body and without a bearer, answers the address of the frame in data', async () => {
  const response = await fetch(`${fixture.server.url}/dmp_aa/api/v1/auth/login`, { method: 'POST' });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ data: expect.stringMatching(/^https?:\/\//u) });
  expect(fixture.documented['/dmp_aa/api/v1/auth/login']).toHaveProperty('post');
});

test.each(printed.map((one) => [one.call, one] as const))(
  'API-01 %s works as documented: described in OpenAPI, validated, answered, and denied to others',
  async (_, one) => {
    const [response, expected] = await responsesOf(fixture, one);
    expect(response).toEqual(expected);
  },
);
