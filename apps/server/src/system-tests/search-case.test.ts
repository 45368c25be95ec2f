import { allOperations } from '@highline/contract/all-operations';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inject } from '../testing/inject.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { buildTenants, type Tenant } from '../testing/tenants.ts';

// Every list with a search finds texts by their exact letters, and with `ignoreCase` regardless of upper and lower case.

let server: TestServer;
let tenant: Tenant;
beforeAll(async () => {
  server = await startTestServer();
  tenant = (await buildTenants(server.seeding)).own;
  await server.owner.query(
    `insert into coverage_vehicle_days values ($1, (now() at time zone 'UTC')::date, $2, 'Verizon', 'LTE', 4, 40, -480, 40, -80)`,
    [tenant.organizationId, tenant.deviceId],
  );
  await server.owner.query(`select add_up_coverage_vehicles($1, (now() at time zone 'UTC')::date)`, [tenant.organizationId]);
});
afterAll(() => server.close());

interface Searched {
  readonly as: 'main' | 'admin';
  /** Ids for the path or query. */
  readonly path?: () => string;
  readonly query?: () => Record<string, string>;
  readonly field: string;
  /** A text in this field of the list. */
  readonly text: () => string;
}

/** By the id of the list call. */
const lists: Readonly<Record<string, readonly Searched[]>> = {
  'devices.list': [
    { as: 'admin', field: 'serial', text: () => tenant.serial },
    { as: 'admin', field: 'serial', text: () => 'SN' },
    { as: 'admin', field: 'group', text: () => tenant.groupName },
    { as: 'main', field: 'group', text: () => tenant.groupName },
    { as: 'main', field: 'organization', text: () => tenant.name },
  ],
  'devices.subscriptions': [{ as: 'admin', field: 'serial', text: () => tenant.serial }],
  'reports.devices': [{ as: 'admin', field: 'name', text: () => tenant.serial }],
  'groups.list': [
    { as: 'admin', field: 'group', text: () => tenant.groupName },
    { as: 'admin', field: 'config', text: () => tenant.rollout.name },
  ],
  'groups.members': [
    {
      as: 'admin',
      path: () => `/data_manager/v1/dm/group/${tenant.groupKey}/devices`,
      field: 'serial',
      text: () => tenant.serial,
    },
  ],
  'rollouts.targets': [
    { as: 'admin', query: () => ({ rollout: tenant.rollout.id }), field: 'serial', text: () => tenant.serial },
  ],
  'esims.list': [{ as: 'admin', field: 'name', text: () => 'eSIM ' }],
  'configs.list': [{ as: 'admin', field: 'name', text: () => '.cfg' }],
  'firmware.list': [{ as: 'admin', field: 'profile', text: () => 'HL-MATRIX' }],
  'logs.list': [{ as: 'admin', field: 'action', text: () => `Prepared ${tenant.name}` }],
  'accounts.list': [{ as: 'admin', field: 'email', text: () => 'admin-' }],
  'notifications.list': [{ as: 'admin', field: 'mail', text: () => 'recipient-' }],
  'organizations.list': [{ as: 'main', field: 'name', text: () => tenant.name }],
  'colleagues.list': [{ as: 'main', field: 'email', text: () => 'colleague-' }],
  // The filters are those of devices.list, and a vehicle needs a position to be on the map: positions.map.test.ts.
  'positions.map': [],
  // What has happened: these tenants have neither alerts nor data use.
  'alerts.list': [],
  'alerts.actions': [],
  'alertPeople.list': [{ as: 'admin', field: 'mail', text: () => 'admin-' }],
  'usage.list': [],
  'outages.listOutages': [],
  'recordings.list': [],
  'coverage.vehicles': [{ as: 'admin', field: 'serial', text: () => tenant.serial }],
  // These two are paged and have no search.
  'bindings.list': [],
  'notifications.undelivered': [],
  'inventory.list': [
    { as: 'main', field: 'serial', text: () => tenant.stock.serial },
    { as: 'main', field: 'organization', text: () => tenant.name },
  ],
};

const swapped = (text: string) =>
  text.replaceAll(/[A-Za-z]/gu, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

const operations = allOperations.filter(
  ({ query, id, sends }) =>
    query instanceof z.ZodObject &&
    'search' in query.shape &&
    'ignoreCase' in query.shape &&
    sends === 'json' &&
    !id.includes('export'),
);
const cases = operations.flatMap((operation) => (lists[operation.id] ?? []).map((searched) => ({ operation, ...searched })));

test('SHR-05-partial every list with a search is tested here', () => {
  expect(operations.map(({ id }) => id).filter((id) => lists[id] === undefined)).toEqual([]);
});

test.each(cases.map((one) => [`${one.operation.id} by ${one.field} as ${one.as}`, one] as const))(
  'SHR-05-partial %s distinguishes upper and lower case unless requested to ignore them',
  async (_name, { operation, as, path, query, field, text }) => {
    const total = async (search: string, more: Record<string, string> = {}): Promise<number> => {
      const org = operation.scope === 'organization' && as === 'main' ? { org: tenant.organizationId } : {};
      const { status, json, ...response } = await inject(server, 'GET', path?.() ?? operation.path, {
        as: { sessionId: tenant.bearers[as] },
        query: { ...query?.(), limit: '5', field, search, ...more, ...org },
      });
      expect(status, response.text).toBe(200);
      return json.total as number;
    };
    const found = await total(text());
    expect(found).toBeGreaterThan(0);
    expect(await total(swapped(text()))).toBe(0);
    expect(await total(swapped(text()), { ignoreCase: 'true' })).toBe(found);
    expect(await total(text(), { ignoreCase: 'true' })).toBe(found);
  },
);
