import { expect, test } from 'vitest';
import { aroundNow } from '../testing/fixture.ts';
import { responsesOf, openExampleServer, type PrintedCall } from '../testing/documented-call.ts';
import type { Tenant } from '../testing/tenants.ts';

// The calls of the older data platform as documented in part 2 of the spec. Every tenant's router has just reported one signal
// level, -70 dBm.

const fixture = openExampleServer();

const API = '/data_manager/api/v1';
const VEGA = '/vega_lite_manager/api/v1';
const queryOf = ({ organizationId: project }: Tenant, more: Record<string, string> = {}) =>
  new URLSearchParams({ realm: 'highline', project, ...aroundNow(), ...more }).toString();
const question = ({ organizationId: projectId, groupKey: groupId, deviceId }: Tenant) => ({
  projectId,
  groupId,
  deviceId,
  propertyId: 'rssi',
  dayType: 'today',
});

const categories = ['device', 'record', 'average', 'sumarty', 'runChart'] as const;

const statistics = categories.map((category): PrintedCall => ({
  call: `GET /data_manager/api/v1/statistics/${category}`,
  path: (tenant) =>
    `${API}/statistics/${category}?${queryOf(tenant, { ...aboutDevice(category, tenant), ...windowOf(category) })}`,
  documentedAs: `${API}/statistics/{category}`,
  as: 'user',
  response: () => ({ result: expect.objectContaining({ category, points: expect.arrayContaining([point]) }) }),
  rejected: { path: (tenant) => `${API}/statistics/${category}?${queryOf(tenant, { window: '2h' })}`, field: 'window' },
  names: true,
}));
const point = expect.objectContaining({ y: expect.any(Number) });
const aboutDevice = (category: string, { deviceId: device }: Tenant) => ({
  ...(countsAll.has(category) ? {} : { property: 'rssi' }),
  device,
  shift: noonNow(),
});
/** Offset in hours that makes it about noon now, so that no day ends during a test. */
const noonNow = () => String(12 - new Date().getUTCHours());
/** These count everything a router reported, unless a property is named. */
const countsAll: ReadonlySet<string> = new Set(['device', 'record']);

/** A run chart covers one day, with raw values. */
function windowOf(category: (typeof categories)[number]): Record<string, string> {
  const now = Math.floor(Date.now() / 1000);
  return category === 'runChart' ? { on: String(now - 600), to: String(now + 60) } : { window: '1h' };
}

const printed: readonly PrintedCall[] = [
  ...statistics,
  {
    call: 'GET /data_manager/api/v1/statistics/piechart',
    path: (tenant) => `${API}/statistics/piechart?${queryOf(tenant, { property: 'online' })}`,
    documentedAs: `${API}/statistics/{category}`,
    as: 'user',
    response: () => ({ result: expect.objectContaining({ category: 'piechart', points: expect.any(Array) }) }),
    rejected: {
      path: (tenant) => `${API}/statistics/piechart?${queryOf(tenant, { property: 'rssi' })}`,
      field: 'property',
      error: { detail: { key: 'piechartErr' } },
    },
    names: true,
  },
  {
    call: 'GET /data_manager/api/v1/statistics/query_count',
    path: (tenant) => `${API}/statistics/query_count?${queryOf(tenant)}`,
    as: 'user',
    response: () => ({ result: expect.objectContaining({ count: 1, windows: expect.arrayContaining(['1h']) }) }),
    rejected: { path: (tenant) => `${API}/statistics/query_count?${queryOf(tenant, { on: 'yesterday' })}`, field: 'on' },
    names: true,
  },
  {
    call: 'GET /data_manager/api/v1/records',
    path: (tenant) => `${API}/records?${queryOf(tenant, { limit: '10', offset: '0' })}`,
    as: 'user',
    response: ({ deviceId, serial }) => ({
      result: [
        expect.objectContaining({
          device: deviceId,
          udid: expect.stringMatching(new RegExp(`^os::[0-9A-F]{6}-${serial}$`, 'u')),
          field: 'rssi',
          field_type: 'number',
          field_value: -70,
        }),
      ],
      total: 1,
    }),
    rejected: { path: (tenant) => `${API}/records?${queryOf(tenant, { limit: '1001' })}`, field: 'limit' },
    names: true,
  },
  {
    call: 'POST /vega_lite_manager/api/v1/prepare/{chartType}',
    path: () => `${VEGA}/prepare/average`,
    as: 'user',
    payload: (tenant) => ({ ...question(tenant), conditons: 'less', num: '-60' }),
    response: () => ({
      result: expect.objectContaining({
        chartType: 'average',
        points: [expect.objectContaining({ y: -70 })],
        spec: expect.objectContaining({ $schema: expect.stringContaining('vega-lite') }),
      }),
    }),
    rejected: {
      payload: (tenant) => ({ ...question(tenant), propertyId: 'online', conditons: 'appear' }),
      field: 'property',
      error: { detail: { key: 'averageErr' } },
    },
    names: true,
  },
  {
    call: 'POST /vega_lite_manager/api/v1/store_draw',
    as: 'user',
    payload: (tenant) => ({
      org: tenant.organizationId,
      creator: tenant.users.user,
      spec: { mark: 'line' },
      api: { chartType: 'average', arguments: question(tenant) },
      content: { mark: 'line', title: 'Signal', argsLabel: ['Today', 'RSSI'], theme: 'dark', projectId: tenant.organizationId },
    }),
    response: (tenant) => ({
      result: expect.objectContaining({
        creator: tenant.users.user,
        spec: { mark: 'line' },
        api: expect.objectContaining({ chartType: 'average' }),
        content: expect.objectContaining({ argsLabel: ['Today', 'RSSI'], theme: 'dark', projectId: tenant.organizationId }),
      }),
    }),
    rejected: {
      payload: (tenant) => ({
        creator: tenant.users.admin,
        spec: { mark: 'line' },
        api: { chartType: 'average', arguments: question(tenant) },
        content: { mark: 'line', title: 'Signal', argsLabel: [] },
      }),
      field: 'creator',
    },
    names: true,
  },
];

test.each(printed.map((one) => [one.call, one] as const))(
  'API-03 %s works as documented: described in OpenAPI, validated, answered, and denied to others',
  async (_, one) => {
    const [response, expected] = await responsesOf(fixture, one);
    expect(response).toEqual(expected);
  },
);
