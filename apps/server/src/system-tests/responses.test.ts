import { afterAll, beforeAll, expect, test } from 'vitest';
import { inject, type Method, type TestCall } from '../testing/inject.ts';
import { aroundNow } from '../testing/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// Every entity of section 3 of the product spec, with its fields written out by hand.

let server: TestServer;
let tenant: Tenant;
/** The config file bound to the group. */
let boundFile: string;

beforeAll(async () => {
  server = await startTestServer();
  tenant = (await buildTenants(server.seeding)).own;
  // A router that has reported its state.
  await server.owner.query(
    `update devices set model = 'HL-R320', firmware = '2.9.0', config = 'depot.cfg', booted_at = now(), presence = 'online'
      where id = $1`,
    [tenant.deviceId],
  );
  const bound = await server.owner.query('select id from config_files where name = $1', [tenant.rollout.name]);
  boundFile = bound.rows[0].id;
  await pinEverything();
});
afterAll(() => server.close());

/** A chart whose query uses every search argument. */
async function pinEverything(): Promise<void> {
  const { organizationId: projectId, groupKey: groupId, deviceId } = tenant;
  const day = { dayType: 'today', startDate: '', endDate: '' };
  const body = {
    spec: { mark: 'line' },
    api: {
      chartType: 'record',
      arguments: { projectId, groupId, deviceId, propertyId: 'rssi', conditons: 'less', num: '-60', ...day },
    },
    content: { mark: 'line', title: 'Signal', argsLabel: ['Today'], theme: 'light', projectId },
  };
  const as = { sessionId: tenant.bearers.user };
  const { status, text } = await inject(server, 'POST', '/vega_lite_manager/api/v1/store_draw', { as, body });
  expect(status, text).toBe(200);
}

const DM = '/data_manager/v1/dm';

interface Entity {
  readonly name: string;
  readonly path: () => string;
  readonly as?: 'main' | 'admin' | 'user';
  /** Path within the response. */
  readonly at: readonly (string | number)[];
  /** Every field of the entity. */
  readonly values: () => Readonly<Record<string, unknown>>;
}

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const moment = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
const isText: unknown = expect.any(String);
const isArray: unknown = expect.any(Array);
/** Roles of the user, by organization. */
const roleOfUser = () => ({ [tenant.organizationId]: 'vendor' });
const device = () => ({ device_id: tenant.deviceId, device_name: tenant.serial });
const udid = () => matching(new RegExp(`^os::[0-9A-F]{6}-${tenant.serial}$`, 'u'));
const esim = () => ({
  pk: tenant.esim.pk,
  serial: tenant.serial,
  eid: tenant.eid,
  // Users do not read it.
  ac: '',
  act: false,
  iccid: '',
  apn: 'internet',
  apn2: '',
  name: matching(/^eSIM /u),
  carrier: '',
  status: 'Fail to download',
  statusIcon: 'expire',
  priority: 2,
  profile: tenant.esim.pk,
});

const org = () => `org=${tenant.organizationId}`;
/** The value at a path of a response; undefined where the path ends early. */
function standsAt(response: unknown, place: Entity['at']): unknown {
  return place.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], response);
}

async function ask(path: string, as: 'main' | 'admin' | 'user', method: Method = 'GET', more: TestCall = {}): Promise<unknown> {
  return (await inject(server, method, path, { as: { sessionId: tenant.bearers[as] }, ...more })).json;
}

const entities: readonly Entity[] = [
  {
    name: 'account',
    path: () => `/dmp_aa/api/v1/accounts/${tenant.accountId}`,
    at: ['result'],
    values: () => ({
      id: tenant.accountId,
      name: matching(/^user-/u),
      email: matching(/^user-.*@/u),
      vendor: tenant.mainAccountId,
      roles: [{ service: tenant.organizationId, roles: [`r.${tenant.organizationId}.vendor`] }],
      roleMap: roleOfUser(),
      serviceRoleMap: roleOfUser(),
      role: 'vendor',
      privilege: isText,
      notificationTypes: [],
      customData: {},
    }),
  },
  {
    name: 'group',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 0],
    values: () => ({
      id: 'default+group+id',
      group: 'default+group+id',
      groupName: 'default',
      description: '',
      created: moment,
      devices: [tenant.loose.serial],
      postpone: null,
      schedule: 'immediate',
      firmware: '',
      config: '',
      bind: { firmware: [], config: [], status: [] },
    }),
  },
  {
    name: 'bind of a group',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 1, 'bind'],
    values: () => ({ firmware: [], config: [expect.any(Object)], status: [expect.any(Object)] }),
  },
  {
    name: 'bind entry',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 1, 'bind', 'config', 0],
    values: () => ({ profile: boundFile, otaSchedule: 'immediate', postpone: null, name: tenant.rollout.name }),
  },
  {
    name: 'bind status entry',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 1, 'bind', 'status', 0],
    values: () => ({ group: tenant.groupKey, file: boundFile, success: 0, fail: 0 }),
  },
  {
    name: 'device',
    path: () => `${DM}/devices?${org()}`,
    at: ['result', 0],
    values: () => ({
      ...device(),
      device: tenant.deviceId,
      serial_number: tenant.serial,
      vehicle_number: '',
      vehicleNumber: '',
      group: tenant.groupKey,
      group_name: tenant.groupName,
      field_value: true,
      device_type_id: 'highline-router',
      updated: moment,
      device_created: moment,
      projectId: tenant.organizationId,
      projectName: tenant.name,
      org: tenant.organizationId,
      subscription_status: 'In Warranty',
      started: '01/01/2026',
      expired: '12/31/2099',
      is_expired: false,
      note: '',
      udid: udid(),
      properties: expect.arrayContaining([
        { id: 'model', value: 'HL-R320' },
        { id: 'firmware', value: '2.9.0' },
        { id: 'config', value: 'depot.cfg' },
        { id: 'uptime', value: matching(/^\d+$/u) },
      ]),
      cellular_mno: null,
      cellular_imsi: null,
      cellular_iccid: null,
      cellular_mtn: null,
    }),
  },
  {
    name: 'property of a device',
    path: () => `${DM}/device?${org()}&device=${tenant.deviceId}`,
    at: ['result', 'properties', 0],
    values: () => ({ id: 'model', value: 'HL-R320' }),
  },
  {
    name: 'device subscription entry',
    path: () => `${DM}/devices/subscribe?${org()}`,
    at: ['result', 0],
    values: () => ({
      device_id: tenant.deviceId,
      expired: '12/31/2099',
      is_expired: false,
      subscription_status: 'In Warranty',
      note: '',
      project: tenant.organizationId,
      serial_number: tenant.serial,
    }),
  },
  {
    name: 'firmware',
    path: () => `${DM}/firmware?${org()}`,
    at: ['result', 0],
    values: () => ({
      pk: isText,
      version: isText,
      created: moment,
      updated: moment,
      size: expect.any(Number),
      note: '',
      otaSchedule: null,
      postpone: null,
      profile: 'HL-MATRIX',
      group: '',
    }),
  },
  {
    name: 'config file',
    path: () => `${DM}/config?${org()}`,
    as: 'admin',
    at: ['result', 0],
    values: () => ({
      pk: boundFile,
      id: boundFile,
      name: tenant.rollout.name,
      size: 23,
      note: '',
      created: moment,
      updated: moment,
      file: tenant.rollout.name,
      otaSchedule: 'immediate',
      postpone: null,
      profile: boundFile,
    }),
  },
  {
    name: 'organization (project, service)',
    path: () => '/dmp_aa/api/v1/services/',
    as: 'main',
    at: ['result', 'list', 0],
    values: () => ({
      id: isText,
      name: matching(/^Branch /u),
      tags: [],
      type: 'project',
      phone: '',
      address: '',
      contacter: '',
      description: '',
      devices: 0,
      expire: 0,
      contacts: [],
      expireDevices: '0/0',
      rowId: 1,
      accounts: [],
      created: moment,
      updated: moment,
    }),
  },
  {
    name: 'overview counts',
    path: () => `${DM}/statistics?${org()}`,
    at: ['result'],
    // The second device never connected.
    values: () => ({ online: 1, offline: 0, never: 1, expired: 0, group: 2, logs: expect.any(Number) }),
  },
  {
    name: 'login status',
    path: () => `/dmp_aa/api/v1/login/status/${tenant.organizationId}`,
    at: ['result'],
    // The one with a role of the organization's own making has not signed in.
    values: () => ({ allUserNum: 3, onlineUserNum: 2, offlineUserNum: 1 }),
  },
  {
    name: 'login info',
    path: () => '/dmp_aa/api/v2/auth/introspect/',
    at: ['result'],
    values: () => ({ email: matching(/^user-.*@/u), name: matching(/^user-/u), role: 'vendor', serviceRoleMap: roleOfUser() }),
  },
  {
    name: 'notification subscription',
    path: () => `/data_manager/v1/notify/user?${org()}`,
    at: ['result', 0],
    values: () => ({ mail: matching(/^recipient-.*@/u), types: ['DEVICE_ADDED'], gids: ['all'] }),
  },
  {
    name: 'log entry',
    path: () => `/data_manager/v1/operation_log?${org()}`,
    at: ['result', 0],
    values: () => ({
      timestamp: expect.any(Number),
      email: matching(/^user-.*@/u),
      ip: '127.0.0.1',
      subject: 'Pinned chart Signal to the overview',
      detail: { mark: 'line', title: 'Signal', chartType: 'record' },
    }),
  },
  {
    name: 'eSIM profile',
    path: () => `${DM}/profiles?${org()}`,
    at: ['result', 0],
    values: () => esim(),
  },
  {
    name: 'preloaded eSIM profile that is not set up',
    path: () => `${DM}/profiles?${org()}&serial=${tenant.serial}&eid=${tenant.eid}`,
    at: ['result', 1],
    values: () => esim(),
  },
  {
    name: 'device data',
    path: () => `/data_manager/api/v1/devices?${org()}`,
    at: ['result', 0],
    values: () => ({
      ...device(),
      device_type: 'HL-R320',
      device_type_name: 'HL-R320',
      properties: isArray,
      projectId: tenant.organizationId,
    }),
  },
  {
    name: 'property of device data',
    path: () => `/data_manager/api/v1/devices?${org()}`,
    at: ['result', 0, 'properties', 0],
    values: () => ({ property_id: 'rssi', property_name: 'Signal strength (RSSI)', property_type: 'number' }),
  },
  {
    name: 'collected record (RPT-02)',
    path: () => `/data_manager/api/v1/records?${org()}&${new URLSearchParams(aroundNow()).toString()}`,
    at: ['result', 0],
    values: () => ({
      device: tenant.deviceId,
      on: expect.any(Number),
      field: 'rssi',
      field_name: 'Signal strength (RSSI)',
      field_type: 'number',
      field_value: -70,
      udid: udid(),
    }),
  },
  {
    name: 'report search arguments',
    path: () => `/data_manager/api/v1/reports?${org()}`,
    at: ['result', 0],
    values: () => ({
      startDate: '',
      endDate: '',
      dayType: 'today',
      queryId: '',
      projectId: tenant.organizationId,
      deviceId: '',
      properties: { id: 'rssi' },
      num: '',
      reportName: `Report of ${tenant.name}`,
    }),
  },
  {
    name: 'pinned chart',
    path: () => `/vega_lite_manager/api/v1/draws?${org()}`,
    at: ['result', 0],
    values: () => ({
      creator: tenant.users.user,
      spec: {},
      api: { chartType: 'device', arguments: {} },
      content: { mark: 'bar', title: `Chart of ${tenant.name}`, argsLabel: [] },
    }),
  },
  {
    name: 'analysis search arguments',
    path: () => `/vega_lite_manager/api/v1/draws?${org()}`,
    at: ['result', 1, 'api', 'arguments'],
    values: () => ({
      projectId: tenant.organizationId,
      deviceId: tenant.deviceId,
      propertyId: 'rssi',
      conditons: 'less',
      num: '-60',
      dayType: 'today',
      startDate: '',
      endDate: '',
    }),
  },
  {
    name: 'content of a pinned chart',
    path: () => `/vega_lite_manager/api/v1/draws?${org()}`,
    at: ['result', 1, 'content'],
    values: () => ({ argsLabel: ['Today'], theme: 'light', projectId: tenant.organizationId }),
  },
];

test.each(entities.map((entity) => [entity.name, entity] as const))(
  'API-04 an answer carries every field of %s under its exact name, with its value',
  async (name, { path, as = 'user', at, values }) => {
    const response = await ask(path(), as, name === 'login info' ? 'POST' : 'GET');
    const found = standsAt(response, at);
    expect(found, JSON.stringify(response).slice(0, 500)).toMatchObject(values());
  },
);

test('API-04 the time of a log entry is in seconds', async () => {
  const entry = standsAt(await ask(`/data_manager/v1/operation_log?${org()}`, 'admin'), ['result', 0]);
  const { timestamp } = entry as { timestamp: number };
  expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(3600);
});

test('API-04 an account describes in the language of its caller what its role may do, and which mails its address gets', async () => {
  const account = async (id: string, language: string): Promise<unknown> => {
    const headers = { 'accept-language': language };
    return standsAt(await ask(`/dmp_aa/api/v1/accounts/${id}`, 'admin', 'GET', { headers }), ['result']);
  };
  const { users, organizationId } = tenant;
  await server.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, created_at, updated_at)
     select $1, email, '{BATTERY_LOW,DEVICE_ADDED}', now(), now() from accounts where id = any ($2)`,
    [organizationId, [users.admin, users.user]],
  );
  const notified = ['BATTERY_LOW', 'DEVICE_ADDED'];
  const english = { role: 'super', privilege: expect.stringMatching(/^Views and manages devices/u), notificationTypes: notified };
  expect(await account(users.admin, 'en-US,en;q=0.9')).toMatchObject(english);
  expect(await account(users.admin, 'zh-TW,zh;q=0.9')).toMatchObject({ privilege: expect.stringMatching(/^檢視與管理裝置/u) });
  // A user's own subscription does not count.
  const user = { role: 'vendor', privilege: expect.stringMatching(/^Views devices and groups/u), notificationTypes: [] };
  expect(await account(users.user, 'en-US')).toMatchObject(user);
  const list = standsAt(await ask(`/dmp_aa/api/v1/accounts/?${org()}&limit=5&search=admin-&field=email`, 'admin'), [
    'result',
    'list',
    0,
  ]);
  expect(list).toMatchObject(english);
  expect(standsAt(await ask('/dmp_aa/api/v2/auth/introspect/', 'main', 'POST'), ['result'])).toMatchObject({
    role: 'vendorSuper',
    privilege: expect.stringMatching(/^Manages organizations/u),
    notificationTypes: [],
  });
});

test('API-04 the result of a batch of eSIM profiles names each failed row by its fields', async () => {
  const form = new FormData();
  form.append('org', tenant.organizationId);
  const csv = `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\nSN-unknown,${tenant.eid},1$a.b$C,,internet,,Lost\n`;
  form.append('profile', new Blob([csv]), 'esims.csv');
  const response = await ask(`${DM}/profile/batch?dryRun=true`, 'admin', 'POST', { body: form });
  // When every row failed, the result is part of the failure.
  const place = standsAt(response, ['error']) === undefined ? ['result'] : ['error', 'detail'];
  expect(standsAt(response, [...place, 'success']), JSON.stringify(response)).toBe(0);
  const fields = ['serial', 'eid', 'ac', 'iccid', 'apn1', 'apn2', 'name', 'error'];
  expect(Object.keys(standsAt(response, [...place, 'fail', 0]) as object)).toEqual(expect.arrayContaining(fields));
});
