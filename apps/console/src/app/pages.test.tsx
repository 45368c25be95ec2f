import type { Role } from '@highline/contract';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { homePathOf, isActive, screensOf } from './pages.ts';
import { createConsoleRouter } from './router.ts';

const router = createConsoleRouter(new QueryClient());

const viewerOf = (role: Role) => ({ role, limitedTo: null, ownRole: null, visit: null });

/** The roles that may open an address; undefined where there is no page. */
const rolesOf = (path: string): readonly Role[] | undefined =>
  router.getMatchedRoutes(path)[0].at(-1)?.options.staticData?.page?.roles;

describe('the role table', () => {
  test('NAV-01-partial / leads the main account to its organizations and everyone else to the overview', () => {
    expect(homePathOf(viewerOf('main'))).toBe('/organization');
    expect(homePathOf(viewerOf('admin'))).toBe('/dashboard');
    expect(homePathOf(viewerOf('user'))).toBe('/dashboard');
  });

  test('NAV-01-partial IAM-03-partial / leads who has an own role to the first entry of its rights, or to the own page', () => {
    const homeOf = (...rights: string[]) => homePathOf({ ...viewerOf('admin'), ownRole: { name: 'Auditor', rights } });
    expect(homeOf('devices.read', 'logs.read')).toBe('/dashboard');
    expect(homeOf('logs.read')).toBe('/logs');
    expect(homeOf('groups.write')).toBe('/profile');
  });

  test('IAM-05-partial support and guests see the entries of the work with vehicles', () => {
    const visit = { kind: 'support', until: null, by: '', atHome: false } as const;
    const own = screensOf(viewerOf('admin')).map(({ path }) => path);
    const shown = new Set(screensOf({ ...viewerOf('admin'), visit }).map(({ path }) => path));
    expect(own.filter((path) => !shown.has(path)).toSorted()).toEqual(['/api-keys', '/summaries', '/users', '/webhooks']);
  });

  test('NAV-02-partial the entries of each role', () => {
    expect(screensOf(viewerOf('main')).map(({ path }) => path)).toEqual([
      '/organization',
      '/devices/orgList',
      '/map',
      '/coverage',
      '/outages',
      '/alerts',
      '/firmware',
      '/inventory',
      '/colleagues',
      '/api-keys',
      '/webhooks',
      '/usage',
      '/summaries',
    ]);
    expect(screensOf(viewerOf('admin')).map(({ path }) => path)).toEqual([
      '/dashboard',
      '/devices/list',
      '/devices/esimsList',
      '/devices/service',
      '/groups/list',
      '/groups/firmwares',
      '/groups/config',
      '/users',
      '/logs',
      '/reports/list/record',
      '/reports/analysis',
      '/map',
      '/coverage',
      '/outages',
      '/geofences',
      '/alerts',
      '/api-keys',
      '/webhooks',
      '/usage',
      '/summaries',
    ]);
    expect(screensOf(viewerOf('user')).map(({ path }) => path)).toEqual([
      '/dashboard',
      '/devices/list',
      '/devices/esimsList',
      '/devices/service',
      '/groups/list',
      '/groups/firmwares',
      '/users/roleEdit',
      '/logs',
      '/reports/list/record',
      '/reports/analysis',
      '/map',
      '/coverage',
      '/outages',
      '/geofences',
      '/alerts',
      '/usage',
      '/summaries',
    ]);
  });

  test.each([
    ['main', '/dashboard', false],
    ['main', '/devices/list', false],
    ['main', '/devices/setting', true],
    ['admin', '/organization', false],
    ['main', '/organization/setting', true],
    ['admin', '/organization/setting', false],
    ['user', '/organization/addUser', false],
    ['admin', '/devices/list/', true],
    ['admin', '/groups/detail', true],
    ['user', '/devices/esimsList', true],
    ['user', '/devices/esimsAdd', false],
    ['user', '/devices/esimsEdit', false],
    ['admin', '/devices/esimsEdit', true],
    ['main', '/devices/esimsList', false],
    ['user', '/groups/list', true],
    ['user', '/groups/add', false],
    ['user', '/groups/detail', false],
    ['main', '/organization/add', true],
    ['admin', '/organization/add', false],
    ['main', '/groups/list', false],
    ['admin', '/devices/service/noitify', true],
    ['user', '/devices/service/noitify', true],
    ['main', '/devices/service/noitify', false],
    ['admin', '/users/detail', true],
    ['admin', '/users/roleEdit', false],
    ['user', '/users', false],
    ['main', '/users', false],
    ['main', '/profile', true],
    ['main', '/colleagues', true],
    ['admin', '/colleagues', false],
    ['main', '/api-keys', true],
    ['user', '/api-keys', false],
    ['user', '/reports/list/record', true],
    ['admin', '/reports/list/goto', true],
    ['admin', '/reports/list/nothing-known', true],
    ['user', '/reports/analysis', true],
    ['main', '/reports/list/record', false],
    ['main', '/reports/analysis', false],
    ['admin', '/', false],
    ['admin', '/nowhere', false],
  ] as const)('NAV-02-partial %s on %s: %s', (role, path, open) => {
    expect(rolesOf(path)?.includes(role) === true).toBe(open);
  });

  test('a path without a page differs from a page of another role', () => {
    for (const path of ['/', '/devices/list', '/devices/list/', '/groups/detail', '/reports/list/nothing-known', '/colleagues'])
      expect(rolesOf(path), path).toBeDefined();
    for (const path of ['/nowhere', '/devices', '/devices/list/more', '/constructor'])
      expect(rolesOf(path), path).toBeUndefined();
  });

  test('NAV-02-partial the entry of the open screen is the active one', () => {
    const devices = screensOf(viewerOf('admin')).find(({ path }) => path === '/devices/list');
    expect(devices !== undefined && isActive(devices, '/devices/list')).toBe(true);
    expect(devices !== undefined && isActive(devices, '/dashboard')).toBe(false);
    const groups = screensOf(viewerOf('admin')).find(({ path }) => path === '/groups/list');
    for (const path of ['/groups/list', '/groups/add', '/groups/detail'])
      expect(groups !== undefined && isActive(groups, path)).toBe(true);
  });
});
