import { afterAll, beforeAll, expect, test } from 'vitest';
import { aroundNow } from '../testing/matrix-fixtures/fixture.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// Every entity of section 3 of the product spec, with its fields written out by hand.

let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await startTestServer();
  tenant = (await buildTenants(server.database, server.seeding)).own;
  // A router that has reported its state.
  await server.owner.query(
    `update devices set model = 'HL-R320', firmware = '2.9.0', config = 'depot.cfg', booted_at = now(), presence = 'online'
      where id = $1`,
    [tenant.deviceId],
  );
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
  const headers = { authorization: `Bearer ${tenant.bearers.user}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}/vega_lite_manager/api/v1/store_draw`, init);
  expect(response.status, await response.text()).toBe(200);
}

const DM = '/data_manager/v1/dm';

interface Entity {
  readonly name: string;
  readonly path: () => string;
  readonly as?: 'main' | 'admin' | 'user';
  /** Path within the answer. */
  readonly at: readonly (string | number)[];
  /** Separated by spaces. */
  readonly fields: string;
}

const org = () => `org=${tenant.organizationId}`;
/** The value at a path of an answer; undefined where the path ends early. */
function standsAt(answer: unknown, place: Entity['at']): unknown {
  return place.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], answer);
}

async function ask(path: string, as: 'main' | 'admin' | 'user', method = 'GET'): Promise<unknown> {
  return (await fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${tenant.bearers[as]}` } })).json();
}

const entities: readonly Entity[] = [
  {
    name: 'account',
    path: () => `/dmp_aa/api/v1/accounts/${tenant.accountId}`,
    at: ['result'],
    fields: 'id name email vendor roles roleMap serviceRoleMap role privilege notificationTypes customData',
  },
  {
    name: 'group',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 0],
    fields: 'id group groupName description created devices postpone schedule firmware config bind',
  },
  {
    name: 'bind of a group',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 1, 'bind'],
    fields: 'firmware config status',
  },
  {
    name: 'bind entry',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 1, 'bind', 'config', 0],
    fields: 'profile otaSchedule postpone',
  },
  {
    name: 'bind status entry',
    path: () => `${DM}/group?${org()}`,
    at: ['result', 1, 'bind', 'status', 0],
    fields: 'group file success fail',
  },
  {
    name: 'device',
    path: () => `${DM}/devices?${org()}`,
    at: ['result', 0],
    fields:
      'device device_id serial_number vehicle_number group group_name field_value device_name device_type_id updated device_created projectId projectName ' +
      'subscription_status expired is_expired started org note udid vehicleNumber properties cellular_mno cellular_imsi cellular_iccid cellular_mtn',
  },
  {
    name: 'property of a device',
    path: () => `${DM}/device?${org()}&device=${tenant.deviceId}`,
    at: ['result', 'properties', 0],
    fields: 'id value',
  },
  {
    name: 'device subscription entry',
    path: () => `${DM}/devices/subscribe?${org()}`,
    at: ['result', 0],
    fields: 'device_id expired is_expired subscription_status note project serial_number',
  },
  {
    name: 'firmware',
    path: () => `${DM}/firmware?${org()}`,
    at: ['result', 0],
    fields: 'pk version created updated size note otaSchedule postpone profile group',
  },
  {
    name: 'config file',
    path: () => `${DM}/config?${org()}`,
    as: 'admin',
    at: ['result', 0],
    fields: 'pk id name size note created updated file otaSchedule postpone profile',
  },
  {
    name: 'organization (project, service)',
    path: () => '/dmp_aa/api/v1/services/',
    as: 'main',
    at: ['result', 'list', 0],
    fields:
      'id name tags type phone address contacter description ' +
      'devices expire contacts expireDevices rowId accounts created updated',
  },
  {
    name: 'overview counts',
    path: () => `${DM}/statistics?${org()}`,
    at: ['result'],
    fields: 'online offline expired group logs',
  },
  {
    name: 'login status',
    path: () => `/dmp_aa/api/v1/login/status/${tenant.organizationId}`,
    at: ['result'],
    fields: 'allUserNum onlineUserNum offlineUserNum',
  },
  {
    name: 'login info',
    path: () => '/dmp_aa/api/v2/auth/introspect/',
    at: ['result'],
    fields: 'email name role serviceRoleMap',
  },
  {
    name: 'notification subscription',
    path: () => `/data_manager/v1/notify/user?${org()}`,
    at: ['result', 0],
    fields: 'mail types gids',
  },
  {
    name: 'log entry',
    path: () => `/data_manager/v1/operation_log?${org()}`,
    at: ['result', 0],
    fields: 'timestamp email ip subject detail',
  },
  {
    name: 'eSIM profile',
    path: () => `${DM}/profiles?${org()}`,
    at: ['result', 0],
    fields: 'pk serial eid ac act iccid apn apn2 name carrier status statusIcon priority profile',
  },
  {
    name: 'preloaded eSIM profile that is not set up',
    path: () => `${DM}/profiles?${org()}&serial=${tenant.serial}&eid=${tenant.eid}`,
    at: ['result', 1],
    fields: 'pk serial eid ac act iccid apn apn2 name carrier status statusIcon priority profile',
  },
  {
    name: 'device data',
    path: () => `/data_manager/api/v1/devices?${org()}`,
    at: ['result', 0],
    fields: 'device_id device_name device_type device_type_name properties projectId',
  },
  {
    name: 'property of device data',
    path: () => `/data_manager/api/v1/devices?${org()}`,
    at: ['result', 0, 'properties', 0],
    fields: 'property_id property_name property_type',
  },
  {
    name: 'collected record',
    path: () => `/data_manager/api/v1/records?${org()}&${new URLSearchParams(aroundNow()).toString()}`,
    at: ['result', 0],
    fields: 'device on field field_name field_type field_value',
  },
  {
    name: 'report search arguments',
    path: () => `/data_manager/api/v1/reports?${org()}`,
    at: ['result', 0],
    fields: 'startDate endDate dayType queryId projectId deviceId properties num reportName',
  },
  {
    name: 'pinned chart',
    path: () => `/vega_lite_manager/api/v1/draws?${org()}`,
    at: ['result', 0],
    fields: 'creator spec api content',
  },
  {
    name: 'analysis search arguments',
    path: () => `/vega_lite_manager/api/v1/draws?${org()}`,
    at: ['result', 1, 'api', 'arguments'],
    fields: 'projectId deviceId propertyId conditons num dayType startDate endDate',
  },
  {
    name: 'content of a pinned chart',
    path: () => `/vega_lite_manager/api/v1/draws?${org()}`,
    at: ['result', 1, 'content'],
    fields: 'argsLabel theme projectId',
  },
];

test.each(entities.map((entity) => [entity.name, entity] as const))(
  'API-04 an answer carries every field of %s under its exact name',
  async (name, { path, as = 'user', at, fields }) => {
    const answer = await ask(path(), as, name === 'login info' ? 'POST' : 'GET');
    const found = standsAt(answer, at);
    expect(found, JSON.stringify(answer).slice(0, 500)).toBeTypeOf('object');
    expect(Object.keys(found as object)).toEqual(expect.arrayContaining(fields.split(' ')));
  },
);

test('API-04 the values have the documented formats', async () => {
  const device = standsAt(await ask(`${DM}/device?${org()}&device=${tenant.deviceId}`, 'admin'), ['result']);
  expect(device).toMatchObject({
    field_value: true,
    subscription_status: expect.stringMatching(/^(In Warranty|Expiring|Not subscribed)$/u),
    expired: expect.stringMatching(/^(\d\d\/\d\d\/\d{4})?$/u),
    properties: expect.arrayContaining(
      ['model', 'uptime', 'firmware', 'config'].map((id) => ({ id, value: expect.any(String) as string })),
    ),
  });
  const defaultGroup = standsAt(await ask(`${DM}/group?${org()}`, 'admin'), ['result', 0]);
  expect(defaultGroup).toMatchObject({ group: 'default+group+id', group_name: 'default' });
  const entry = standsAt(await ask(`/data_manager/v1/operation_log?${org()}`, 'admin'), ['result', 0]);
  const { timestamp } = entry as { timestamp: number };
  expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(3600);
  const organization = standsAt(await ask('/dmp_aa/api/v1/services/', 'admin'), ['result', 'list', 0]);
  expect(organization).toMatchObject({ expireDevices: expect.stringMatching(/^\d+\/\d+$/u), contacts: expect.any(Array) });
});

test('API-04 an account describes in the language of its caller what its role may do, and which mails its address gets', async () => {
  const account = async (id: string, language: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${tenant.bearers.admin}`, 'accept-language': language };
    return standsAt(await (await fetch(`${server.url}/dmp_aa/api/v1/accounts/${id}`, { headers })).json(), ['result']);
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

test('API-04 RPT-02 a record carries the UDID of its device', async () => {
  const path = `/data_manager/api/v1/records?${org()}&${new URLSearchParams(aroundNow()).toString()}`;
  const record = standsAt(await ask(path, 'user'), ['result', 0]) as { device: string; udid: string };
  const device = standsAt(await ask(`${DM}/device?${org()}&device=${record.device}`, 'user'), ['result']) as { udid: string };
  expect(device.udid).toMatch(/^os::/u);
  expect(record.udid).toBe(device.udid);
});

test('API-04 the result of a batch of eSIM profiles names each failed row by its fields', async () => {
  const form = new FormData();
  form.append('org', tenant.organizationId);
  const csv = `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\nSN-unknown,${tenant.eid},1$a.b$C,,internet,,Lost\n`;
  form.append('profile', new Blob([csv]), 'esims.csv');
  const headers = { authorization: `Bearer ${tenant.bearers.admin}` };
  const answer: unknown = await (
    await fetch(`${server.url}${DM}/profile/batch?dryRun=true`, { method: 'POST', headers, body: form })
  ).json();
  // When every row failed, the result is part of the failure.
  const place = standsAt(answer, ['error']) === undefined ? ['result'] : ['error', 'detail'];
  expect(standsAt(answer, [...place, 'success']), JSON.stringify(answer)).toBe(0);
  const fields = ['serial', 'eid', 'ac', 'iccid', 'apn1', 'apn2', 'name', 'error'];
  expect(Object.keys(standsAt(answer, [...place, 'fail', 0]) as object)).toEqual(expect.arrayContaining(fields));
});
