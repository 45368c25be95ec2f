import type { Page } from '@playwright/test';
import { enter, expect, leave, waitUntilLoaded, test, visit } from './fixtures.ts';

const links = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link');

/** The role table (part 1, section 2), with the additions of DECISIONS. */
const entries = {
  main: [
    ['Organizations', '/organization'],
    ['Devices', '/devices/orgList'],
    ['Map', '/map'],
    ['Coverage', '/coverage'],
    ['Alerts', '/alerts'],
    ['Inventory', '/inventory'],
    ['Firmware', '/firmware'],
    ['Colleagues', '/colleagues'],
    ['API Keys', '/api-keys'],
    ['Webhooks', '/webhooks'],
    ['Data Use', '/usage'],
  ],
  admin: [
    ['Overview', '/dashboard'],
    ['Devices', '/devices/list'],
    ['SIMs', '/devices/esimsList'],
    ['Service Status', '/devices/service'],
    ['Map', '/map'],
    ['Coverage', '/coverage'],
    ['Geofences', '/geofences'],
    ['Alerts', '/alerts'],
    ['Groups', '/groups/list'],
    ['Firmware', '/groups/firmwares'],
    ['Config Files', '/groups/config'],
    ['Cloud Users', '/users'],
    ['Logs', '/logs'],
    ['API Keys', '/api-keys'],
    ['Webhooks', '/webhooks'],
    ['Reports', '/reports/list/record'],
    ['Analysis', '/reports/analysis'],
    ['Data Use', '/usage'],
  ],
  user: [
    ['Overview', '/dashboard'],
    ['Devices', '/devices/list'],
    ['SIMs', '/devices/esimsList'],
    ['Service Status', '/devices/service'],
    ['Map', '/map'],
    ['Coverage', '/coverage'],
    ['Geofences', '/geofences'],
    ['Alerts', '/alerts'],
    ['Groups', '/groups/list'],
    ['Firmware', '/groups/firmwares'],
    ['Cloud Users', '/users/roleEdit'],
    ['Logs', '/logs'],
    ['Reports', '/reports/list/record'],
    ['Analysis', '/reports/analysis'],
    ['Data Use', '/usage'],
  ],
} as const;

const ofAdmins = [
  '/groups/add',
  '/groups/detail',
  '/groups/config',
  '/groups/configAdd',
  '/groups/configSetting',
  '/devices/add',
  '/devices/esimsAdd',
  '/devices/esimsEdit',
  '/users',
  '/users/add',
  '/users/detail',
];
const ofTheMainAccount = [
  '/organization',
  '/organization/add',
  '/organization/setting',
  '/organization/addUser',
  '/devices/orgList',
  '/inventory',
  '/firmware',
  '/colleagues',
];
const closed = {
  admin: [...ofTheMainAccount, '/users/roleEdit'],
  user: [...ofTheMainAccount, ...ofAdmins],
  main: [
    ...entries.user.map(([, path]) => path).filter((path) => !['/map', '/coverage', '/alerts', '/usage'].includes(path)),
    ...ofAdmins.filter((path) => path !== '/devices/add'),
  ],
};

/** Open another address within the console without a reload: the guard is that of a typed address, without its delay. */
const address = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path);

test('NAV-02 each role sees its entries and Log Out, sub-routes keep theirs active, a typed path of another role does not open, and the server rejects its calls', async ({
  page,
  tenant,
  request,
}) => {
  test.slow();
  const { org, seeding, users } = tenant;
  const [router] = await tenant.routers(1);
  const group = await seeding.group(org, 'Depot');
  const config = await seeding.config(org, { name: 'depot.cfg' });
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  const device = stored[0]!.id;
  const eid = '89049099990000000000000000000132';
  const esim = { serial: router!.serial, eid, code: '1$dp.example$NAV', iccid: '', apn: 'fleet', apn2: '', name: '' };
  const profile = await seeding.esim(org, esim);
  const subRoutes = {
    main: [
      ['/organization/add', 'Organizations'],
      [`/organization/setting?org=${org.organizationId}`, 'Organizations'],
      [`/organization/addUser?org=${org.organizationId}`, 'Organizations'],
      ['/devices/add', 'Devices'],
      [`/devices/setting?device=${device}`, 'Devices'],
    ],
    admin: [
      ['/devices/add', 'Devices'],
      [`/devices/setting?device=${device}`, 'Devices'],
      ['/devices/esimsAdd', 'SIMs'],
      [`/devices/esimsEdit?profile=${profile}`, 'SIMs'],
      ['/devices/service/noitify', 'Service Status'],
      ['/groups/add', 'Groups'],
      [`/groups/detail?group=${group}`, 'Groups'],
      ['/devices/firmware', 'Firmware'],
      ['/groups/configAdd', 'Config Files'],
      [`/groups/configSetting?config=${config}`, 'Config Files'],
      ['/users/add', 'Cloud Users'],
      [`/users/detail?user=${users.user.id}`, 'Cloud Users'],
      ['/reports/list/goto', 'Reports'],
    ],
    user: [
      [`/devices/setting?device=${device}`, 'Devices'],
      ['/devices/service/noitify', 'Service Status'],
      ['/devices/firmware', 'Firmware'],
    ],
  };
  // Every call of an open screen is also allowed.
  const forbidden: string[] = [];
  page.on('response', (answer) => void (answer.status() === 403 && forbidden.push(`${page.url()}: ${answer.url()}`)));
  for (const role of ['main', 'admin', 'user'] as const) {
    await leave(page);
    await enter(page, users[role], '/');
    const own = entries[role];
    await expect(links(page)).toHaveText([...own.map(([name]) => name), 'Log Out']);
    await expect(links(page).last()).toHaveAttribute('href', '/logout');
    const active = links(page).and(page.locator('[aria-current="page"]'));
    for (const [name, path] of own) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await expect(page).toHaveURL((url) => url.pathname === path);
      await expect(active).toHaveText([name]);
      await waitUntilLoaded(page);
    }
    for (const [path, name] of subRoutes[role]) {
      await address(page, path!);
      await waitUntilLoaded(page);
      expect(page.url()).toContain(path!);
      await expect(active).toHaveText([name!]);
    }
    const home = role === 'main' ? '/organization' : '/dashboard';
    for (const path of closed[role].filter((path) => path !== home)) {
      await address(page, path);
      await expect(page, path).toHaveURL((url) => url.pathname === home);
    }
    await page.goto(closed[role].at(-1)!);
    await expect(page).toHaveURL((url) => url.pathname === home);
  }
  expect(forbidden).toEqual([]);

  const of = (person: { readonly bearer: string }) => ({ authorization: `Bearer ${person.bearer}` });
  const key = 'default+group+id';
  const behind = {
    user: [
      ['POST', 'dm/group', { name: 'Mine', devices: [] }],
      ['PATCH', `dm/group/${group}`, { devices: [], group, description: 'mine' }],
      ['DELETE', 'dm/group', { groups: [group] }],
      ['POST', 'binding/group/config', { group, config, schedule: 'immediate', postpone: '' }],
      ['DELETE', `dm/config/${config}`, undefined],
      ['PATCH', 'dm/device', { device, group: key, vehicleNumber: '', note: 'mine' }],
      ['DELETE', 'dm/devices', { devices: [device] }],
      ['POST', 'dm/devices', { devices: [{ serial_number: 'x', mac: 'y', started: '01/01/2026', expired: '01/02/2026' }] }],
      ['POST', 'dm/profile/', { serial: router!.serial, eid, ac: '1$dp.example$B', apn: 'fleet' }],
      ['POST', 'dm/profile/resume', { profile }],
      ['DELETE', `dm/profile/${profile}`, undefined],
      ['POST', 'dm/cmds/resetGuiPassword', { serial: router!.serial }],
      ['POST', 'dm/cmds/getOneTimeSecret', { serial: router!.serial, type: 'ssh' }],
    ],
    admin: [
      ['GET', 'dm/inventory', undefined],
      ['DELETE', 'dm/org', { org: org.organizationId }],
      ['POST', 'dm/org/device', { origin: org.organizationId, target: tenant.other.organizationId, serials: [router!.serial] }],
    ],
    main: [['POST', 'dm/group', { org: org.organizationId, name: 'Mine', devices: [] }]],
  } as const;
  for (const role of ['main', 'admin', 'user'] as const)
    for (const [method, path, data] of behind[role]) {
      const answer = await request.fetch(`/data_manager/v1/${path}`, {
        method,
        headers: of(users[role]),
        ...(data === undefined ? {} : { data }),
      });
      expect([answer.status(), ((await answer.json()) as { error: object }).error], `${role} ${method} ${path}`).toEqual([
        403,
        expect.objectContaining({ message: 'Permission denied' }),
      ]);
    }
  // The content of a user's own screens stays readable: the files bound to its groups, the eSIMs of its routers.
  for (const path of ['dm/devices', 'dm/group', 'binding/group', 'dm/firmware', 'dm/profiles', 'operation_log'])
    expect((await request.get(`/data_manager/v1/${path}?limit=1`, { headers: of(users.user) })).status(), path).toBe(200);

  await visit(page, '/dashboard');
  await links(page).filter({ hasText: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login$/u);
  expect((await page.context().cookies()).filter(({ name }) => ['id', 'vap'].includes(name))).toEqual([]);
});
