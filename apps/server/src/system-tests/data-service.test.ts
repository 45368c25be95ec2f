import { expect, test } from 'vitest';
import { responsesOf, openExampleServer, type PrintedCall } from '../testing/documented-call.ts';
import type { Tenant } from '../testing/tenants.ts';

// The calls of the data service as documented in the product spec.

const fixture = openExampleServer();

const realm = 'highline';
const DM = '/data_manager/v1/dm';
const BINDING = '/data_manager/v1/binding/group';
const NOTIFY = '/data_manager/v1/notify/user';

/** Realm and organization, which nearly every call carries. */
const both = ({ organizationId: org }: Tenant) => ({ realm, org });
const queryOf = (tenant: Tenant, more: Record<string, string> = {}) =>
  new URLSearchParams({ ...both(tenant), ...more }).toString();
const holding = (one: object) => expect.arrayContaining([expect.objectContaining(one)]);
const csvRow = ({ stock: { serial, mac } }: Tenant) => `SN,MAC,Start Date,Expiry Date\n${serial},${mac},01/01/2026,12/31/2027\n`;
const deviceOf = ({ deviceId, serial }: Tenant) => ({ device: deviceId, device_id: deviceId, serial_number: serial });

const reads: readonly PrintedCall[] = [
  {
    call: 'GET /data_manager/v1/dm/statistics',
    path: (tenant) => `${DM}/statistics?${queryOf(tenant)}`,
    as: 'user',
    response: () => ({
      result: expect.objectContaining({
        online: 0,
        offline: expect.any(Number),
        expired: expect.any(Number),
        group: 2,
        logs: expect.any(Number),
      }),
    }),
    rejected: { path: (tenant) => `${DM}/statistics?${queryOf(tenant, { zone: 'Mars/Base' })}`, field: 'zone' },
    names: true,
  },
  {
    call: 'GET /data_manager/v1/dm/devices',
    path: (tenant) => `${DM}/devices?${queryOf(tenant)}`,
    as: 'user',
    response: (tenant) => ({ result: holding(deviceOf(tenant)) }),
    rejected: { path: (tenant) => `${DM}/devices?${queryOf(tenant, { limit: 'many' })}`, field: 'limit' },
    names: true,
  },
  {
    call: 'GET /data_manager/v1/dm/devices/subscribe',
    path: () => `${DM}/devices/subscribe?realm=${realm}`,
    as: 'user',
    response: ({ serial, organizationId }) => ({
      result: holding({ serial_number: serial, project: organizationId, is_expired: expect.any(Boolean) }),
    }),
    rejected: { path: () => `${DM}/devices/subscribe?realm=${realm}&limit=0`, field: 'limit' },
  },
  {
    call: 'GET /data_manager/v1/statistics/last_query',
    path: (tenant) => `/data_manager/v1/statistics/last_query?${queryOf(tenant, { device: 'all_devices' })}`,
    as: 'user',
    response: ({ deviceId }) => ({ result: holding({ device: deviceId, field_value: false }) }),
    names: true,
  },
  {
    call: 'GET /data_manager/v1/dm/firmware',
    path: () => `${DM}/firmware?realm=${realm}`,
    as: 'user',
    response: ({ firmware }) => ({ result: holding({ pk: firmware.pk, version: firmware.version, size: expect.any(Number) }) }),
    rejected: { path: () => `${DM}/firmware?realm=${realm}&sort=colour`, field: 'sort' },
  },
  {
    call: 'GET /data_manager/v1/dm/group',
    path: (tenant) => `${DM}/group?${queryOf(tenant)}`,
    as: 'user',
    response: ({ groupKey, groupName, serial }) => ({
      result: holding({ group: groupKey, groupName, devices: [serial], bind: expect.any(Object) }),
    }),
    names: true,
  },
  {
    call: 'GET /data_manager/v1/binding/group',
    path: (tenant) => `${BINDING}?${queryOf(tenant)}`,
    as: 'user',
    response: ({ groupKey, rollout }) => ({
      result: holding({ group: groupKey, config: holding({ name: rollout.name, otaSchedule: 'immediate', postpone: null }) }),
    }),
    names: true,
  },
  {
    call: 'GET /data_manager/v1/dm/config',
    path: (tenant) => `${DM}/config?${queryOf(tenant)}`,
    as: 'admin',
    notAs: 'user',
    response: ({ config }) => ({ result: holding({ pk: config.pk, name: config.name }) }),
    names: true,
  },
  {
    call: 'GET /data_manager/v1/notify/user',
    path: (tenant) => `${NOTIFY}?${queryOf(tenant)}`,
    as: 'user',
    response: () => ({ result: holding({ mail: expect.stringContaining('recipient-'), types: ['DEVICE_ADDED'] }) }),
    names: true,
  },
  {
    call: 'GET /data_manager/v1/operation_log',
    path: (tenant) => `/data_manager/v1/operation_log?${queryOf(tenant)}`,
    as: 'user',
    response: ({ name }) => ({
      result: holding({ subject: `Prepared ${name}`, ip: '192.0.2.1', timestamp: expect.any(Number) }),
    }),
    rejected: {
      path: (tenant) => `/data_manager/v1/operation_log?${queryOf(tenant, { limit: '10', span: 'custom', from: 'soon' })}`,
      field: 'from',
    },
    names: true,
  },
];

const changesOfDevices: readonly PrintedCall[] = [
  {
    call: 'POST /data_manager/v1/dm/devices',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({
      devices: [{ serial_number: tenant.stock.serial, mac: tenant.stock.mac, started: '01/01/2026', expired: '12/31/2027' }],
      device_type_id: 'highline-router',
      ...both(tenant),
    }),
    response: ({ stock }) => ({ result: [expect.objectContaining({ serial_number: stock.serial })] }),
    rejected: {
      payload: (tenant) => ({
        devices: [{ serial_number: 'SN-unknown', mac: tenant.stock.mac, started: '01/01/2026', expired: '12/31/2027' }],
        ...both(tenant),
      }),
      field: 'serial_number',
      error: { code: -6, message: 'Incorrect serial number', detail: 'serial' },
    },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/devices/batch',
    as: 'admin',
    notAs: 'user',
    encoding: 'multipart',
    payload: (tenant) => ({ ...both(tenant), device_type_id: 'highline-router' }),
    file: { field: 'file', name: 'devices.csv', text: csvRow },
    response: () => ({ result: expect.objectContaining({ success: 1, fail: [] }) }),
    names: true,
  },
  {
    call: 'PATCH /data_manager/v1/dm/device',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({
      device: tenant.deviceId,
      group: tenant.groupKey,
      vehicleNumber: 'Bus 9',
      note: 'Yard',
      ...both(tenant),
    }),
    response: (tenant) => ({ result: expect.objectContaining({ ...deviceOf(tenant), vehicleNumber: 'Bus 9', note: 'Yard' }) }),
    rejected: {
      payload: (tenant) => ({ device: tenant.deviceId, vehicleNumber: 'x'.repeat(61), ...both(tenant) }),
      field: 'vehicleNumber',
    },
    names: true,
  },
  {
    call: 'DELETE /data_manager/v1/dm/devices',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ devices: [tenant.deviceId], ...both(tenant) }),
    response: () => ({ result: { deleted: 1 } }),
    rejected: { payload: (tenant) => ({ devices: [], ...both(tenant) }), field: 'devices' },
    names: true,
  },
  {
    call: 'POST /data_manager/v1/dm/org/device',
    as: 'main',
    notAs: 'admin',
    payload: ({ organizationId, branchId, serial }) => ({ realm, origin: organizationId, target: branchId, serials: [serial] }),
    response: () => ({ result: { transferred: 1 } }),
    rejected: {
      payload: ({ organizationId, branchId }) => ({ realm, origin: organizationId, target: branchId, serials: [] }),
      field: 'serials',
    },
    names: true,
  },
  {
    call: 'DELETE /data_manager/v1/dm/org',
    as: 'main',
    notAs: 'admin',
    payload: both,
    response: () => ({ result: { deleted: 1, devices: 2 } }),
    rejected: { payload: () => ({ realm }), field: 'org' },
    names: true,
  },
];

const changesOfGroups: readonly PrintedCall[] = [
  {
    call: 'POST /data_manager/v1/dm/group',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ devices: [tenant.looseDeviceId], name: 'Night', description: 'Late buses', ...both(tenant) }),
    response: () => ({ result: expect.objectContaining({ groupName: 'Night', description: 'Late buses', deviceCount: 1 }) }),
    rejected: { payload: (tenant) => ({ name: '', ...both(tenant) }), field: 'name', error: { message: expect.any(String) } },
    names: true,
  },
  {
    call: 'PATCH /data_manager/v1/dm/group/{group}',
    path: ({ groupKey }) => `${DM}/group/${groupKey}`,
    as: 'admin',
    // The user of these tenants has Full Control of the group (OLD-01, groups/control.test.ts).
    notAs: 'main',
    payload: (tenant) => ({ devices: [], group: tenant.groupKey, name: 'Day', is_postpone: false, ...both(tenant) }),
    response: () => ({ result: expect.objectContaining({ groupName: 'Day', deviceCount: 0 }) }),
    rejected: { payload: (tenant) => ({ name: 'x'.repeat(101), ...both(tenant) }), field: 'name' },
    names: true,
  },
  {
    call: 'DELETE /data_manager/v1/dm/group',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ groups: [tenant.groupKey], ...both(tenant) }),
    response: () => ({ result: { deleted: 1 } }),
    rejected: {
      payload: (tenant) => ({ groups: ['default+group+id'], ...both(tenant) }),
      error: { key: 'group.is_default' },
      field: 'groups',
    },
    names: true,
  },
  ...(['firmware', 'config'] as const).flatMap((kind): PrintedCall[] => [
    {
      call: `POST /data_manager/v1/binding/group/${kind}`,
      path: () => `${BINDING}/${kind}`,
      documentedAs: `${BINDING}/${kind}`,
      as: 'admin',
      notAs: 'user',
      payload: (tenant) => ({
        [kind]: tenant[kind].pk,
        group: tenant.groupKey,
        postpone: '',
        schedule: 'bootup',
        ...both(tenant),
      }),
      response: (tenant) => ({
        result: expect.objectContaining({ [kind]: holding({ profile: tenant[kind].pk, otaSchedule: 'bootup', postpone: null }) }),
      }),
      rejected: {
        payload: (tenant) => ({ [kind]: tenant[kind].pk, group: tenant.groupKey, schedule: 'whenever', ...both(tenant) }),
        field: 'schedule',
      },
      names: true,
    },
    {
      call: `DELETE /data_manager/v1/binding/group/${kind}`,
      path: (tenant) => `${BINDING}/${kind}?${queryOf(tenant, { group: tenant.groupKey, postpone: '', mode: 'all' })}`,
      documentedAs: `${BINDING}/${kind}`,
      as: 'admin',
      notAs: 'user',
      response: () => ({ result: expect.objectContaining({ [kind]: [], status: expect.any(Array) }) }),
      rejected: {
        path: (tenant) => `${BINDING}/${kind}?${queryOf(tenant, { group: tenant.groupKey, mode: 'some' })}`,
        field: 'mode',
      },
      names: true,
    },
  ]),
];

const changesOfConfigs: readonly PrintedCall[] = [
  {
    call: 'POST /data_manager/v1/dm/config',
    as: 'admin',
    notAs: 'user',
    encoding: 'multipart',
    payload: (tenant) => ({ note: 'For the yard', ...both(tenant) }),
    file: { field: 'config', name: 'yard.cfg', text: () => 'hostname yard\n' },
    response: () => ({ result: expect.objectContaining({ name: 'yard.cfg', note: 'For the yard', size: 14 }) }),
    rejected: { payload: (tenant) => ({ note: 'x'.repeat(1_001), ...both(tenant) }), field: 'note' },
    names: true,
  },
  {
    call: 'PATCH /data_manager/v1/dm/config/{id}',
    path: ({ config }) => `${DM}/config/${config.pk}`,
    documentedAs: `${DM}/config/{config}`,
    as: 'admin',
    notAs: 'user',
    encoding: 'multipart',
    payload: (tenant) => ({ note: 'Renewed', ...both(tenant) }),
    response: ({ config }) => ({ result: expect.objectContaining({ pk: config.pk, note: 'Renewed' }) }),
    rejected: { payload: (tenant) => ({ note: 'x'.repeat(1_001), ...both(tenant) }), field: 'note' },
    names: true,
  },
  {
    call: 'DELETE /data_manager/v1/dm/config/{config}',
    path: (tenant) => `${DM}/config/${tenant.config.pk}?${queryOf(tenant)}`,
    as: 'admin',
    notAs: 'user',
    response: () => ({ result: { deleted: 1 } }),
    names: true,
  },
  {
    call: 'POST /data_manager/v1/notify/user',
    as: 'admin',
    notAs: 'user',
    payload: (tenant) => ({ mail: 'Yard@Highline.Example', events: ['BATTERY_LOW', '{hash}'], gids: ['all'], ...both(tenant) }),
    response: () => ({
      result: expect.objectContaining({
        mail: 'yard@highline.example',
        types: expect.arrayContaining(['BATTERY_LOW', 'TODAY_NOTIFY_SUBSCRIPTION']),
        gids: ['all'],
      }),
    }),
    rejected: { payload: (tenant) => ({ mail: 'no-address', events: [], ...both(tenant) }), field: 'mail' },
    names: true,
  },
];

const printed = [...reads, ...changesOfDevices, ...changesOfGroups, ...changesOfConfigs];

test.each(printed.map((one) => [one.call, one] as const))(
  'API-02 %s works as documented: described in OpenAPI, validated, answered, and denied to others',
  async (_, one) => {
    const [response, expected] = await responsesOf(fixture, one);
    expect(response).toEqual(expected);
  },
);
