import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { startConsole } from '../testing/console.tsx';

const names = {
  main: 'Organizations, Devices, Map, Coverage, Outages, Alerts, Inventory, Firmware, Colleagues, API Keys, Webhooks, Data Use, Summaries, Log Out',
  admin:
    'Overview, Devices, SIMs, Service Status, Map, Coverage, Outages, Geofences, Alerts, Groups, Firmware, Config Files, Cloud Users, Logs, API Keys, Webhooks, Reports, Analysis, Data Use, Summaries, Log Out',
  user: 'Overview, Devices, SIMs, Service Status, Map, Coverage, Outages, Geofences, Alerts, Groups, Firmware, Cloud Users, Logs, Reports, Analysis, Data Use, Summaries, Log Out',
} as const;

/** Pages without an entry of their own, and the entry that stays active. */
const subRoutes = {
  main: {
    '/organization/add': 'Organizations',
    '/organization/setting?org=one': 'Organizations',
    '/organization/addUser?org=one': 'Organizations',
    '/devices/add': 'Devices',
    '/devices/setting?device=one': 'Devices',
  },
  admin: {
    '/devices/add': 'Devices',
    '/devices/setting?device=one': 'Devices',
    '/devices/esimsAdd': 'SIMs',
    '/devices/esimsEdit?profile=example': 'SIMs',
    '/devices/service/noitify': 'Service Status',
    '/groups/add': 'Groups',
    '/groups/detail?group=one': 'Groups',
    '/devices/firmware': 'Firmware',
    '/groups/configAdd': 'Config Files',
    '/groups/configSetting?config=one': 'Config Files',
    '/users/add': 'Cloud Users',
    '/users/detail?user=one': 'Cloud Users',
    '/reports/list/goto': 'Reports',
  },
  user: {
    '/devices/setting?device=one': 'Devices',
    '/devices/service/noitify': 'Service Status',
    '/devices/firmware': 'Firmware',
  },
} as const;

const closed = {
  main: ['/dashboard', '/devices/list', '/groups/list', '/groups/add', '/users', '/logs', '/reports/analysis'],
  admin: ['/organization', '/organization/add', '/devices/orgList', '/inventory', '/firmware', '/colleagues', '/users/roleEdit'],
  user: [
    '/organization',
    '/inventory',
    '/groups/add',
    '/groups/config',
    '/devices/add',
    '/devices/esimsAdd',
    '/users',
    '/webhooks',
    '/api-keys',
  ],
};

describe.each(['main', 'admin', 'user'] as const)('the role %s', (role) => {
  const links = () => within(screen.getByRole('navigation', { name: 'Menu' })).getAllByRole('link');
  const active = () =>
    links()
      .filter((link) => link.getAttribute('aria-current') === 'page')
      .map(({ textContent }) => textContent);

  // The fake server notes each call that the role may not make.
  test('NAV-02 sees its entries and Log Out, opens each, and each page keeps its entry active', async () => {
    const { open, visit, address } = startConsole({ role });
    await open('/');
    expect(address()).toBe(role === 'main' ? '/organization' : '/dashboard');
    expect(
      links()
        .map(({ textContent }) => textContent)
        .join(', '),
    ).toBe(names[role]);
    expect(links().at(-1)?.getAttribute('href')).toBe('/logout');
    for (const [path, name] of Object.entries(subRoutes[role])) {
      await visit(path);
      expect(address(), path).toContain(path);
      expect(active(), path).toEqual([name]);
    }
    for (const link of links().slice(0, -1)) {
      const path = link.getAttribute('href')!;
      // Maps need a browser.
      if (['/map', '/coverage', '/geofences'].includes(path)) continue;
      await visit(path);
      expect(address(), path).toContain(path);
      expect(active(), path).toEqual([link.textContent]);
    }
  });

  test('NAV-02-partial IAM-08-partial a page of another role does not open, and says so', async () => {
    const { open, visit } = startConsole({ role });
    await open(closed[role][0]!);
    for (const path of closed[role]) {
      await visit(path);
      expect(await screen.findByRole('heading', { level: 1, name: 'Your role may not open this page' }), path).toBeTruthy();
    }
  });
});

const unknown = 'tab=unknown&range=unknown&day=unknown&method=unknown&step=unknown&condition=unknown&window=unknown';

test.each([
  ['main', '/devices/setting?device=one&', 'Overview'],
  ['main', '/organization/setting?org=one&', 'Settings'],
  ['main', '/organization/add?', undefined],
  ['admin', '/devices/add?', undefined],
  ['admin', '/devices/esimsAdd?', undefined],
  ['admin', '/reports/analysis?', undefined],
] as const)('NAV-05-partial what a page does not know in its address is dropped: %s %s', async (role, address, tab) => {
  const { open } = startConsole({ role });
  await open(address + unknown);
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  expect(screen.queryByText(/This page could not be displayed/u)).toBeNull();
  if (tab !== undefined) expect(screen.getByRole('link', { name: tab, current: 'page' })).toBeTruthy();
});
