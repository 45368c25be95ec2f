import type { Role } from '@highline/contract';
import {
  IconBell,
  IconBuildingCommunity,
  IconChartBar,
  IconChartLine,
  IconMap2,
  IconPolygon,
  IconReport,
  IconHexagons,
  IconHistory,
  IconLayoutDashboard,
  IconPackages,
  IconRouter,
  IconStack2,
  IconCpu,
  IconDeviceSim,
  IconFileSettings,
  IconShieldCheck,
  IconUsers,
  IconKey,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export type ScreenKey =
  | 'dashboard'
  | 'organization'
  | 'orgList'
  | 'devices'
  | 'map'
  | 'alerts'
  | 'esims'
  | 'inventory'
  | 'colleagues'
  | 'coverage'
  | 'geofences'
  | 'apiKeys'
  | 'webhooks'
  | 'usage'
  | 'groups'
  | 'firmwares'
  | 'configs'
  | 'firmware'
  | 'service'
  | 'users'
  | 'profile'
  | 'logs'
  | 'reports'
  | 'analysis';
type Section = 'top' | 'fleet' | 'customers' | 'updates' | 'office' | 'data';

/** One entry of the sidebar (NAV-02). */
export interface Screen {
  readonly key: ScreenKey;
  readonly path: string;
  readonly section: Section;
  readonly roles: readonly Role[];
  readonly icon: ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;
  /** Sub-routes that keep this entry active. */
  readonly alsoActive: readonly string[];
}

/** The role table (part 1, section 2; DECISIONS "What the sidebar adds"), in sidebar order. */
export const screens: readonly Screen[] = [
  { key: 'dashboard', path: '/dashboard', section: 'top', roles: ['admin', 'user'], icon: IconLayoutDashboard, alsoActive: [] },
  {
    key: 'devices',
    path: '/devices/list',
    section: 'fleet',
    roles: ['admin', 'user'],
    icon: IconRouter,
    alsoActive: ['/devices/add', '/devices/setting'],
  },
  {
    key: 'esims',
    path: '/devices/esimsList',
    section: 'fleet',
    roles: ['admin', 'user'],
    icon: IconDeviceSim,
    alsoActive: ['/devices/esimsAdd', '/devices/esimsEdit'],
  },
  {
    key: 'service',
    path: '/devices/service',
    section: 'fleet',
    roles: ['admin', 'user'],
    icon: IconShieldCheck,
    alsoActive: ['/devices/service/noitify'],
  },
  {
    key: 'groups',
    path: '/groups/list',
    section: 'updates',
    roles: ['admin', 'user'],
    icon: IconStack2,
    alsoActive: ['/groups/add', '/groups/detail'],
  },
  {
    key: 'firmwares',
    path: '/groups/firmwares',
    section: 'updates',
    roles: ['admin', 'user'],
    icon: IconCpu,
    alsoActive: ['/devices/firmware'],
  },
  {
    key: 'configs',
    path: '/groups/config',
    section: 'updates',
    roles: ['admin'],
    icon: IconFileSettings,
    alsoActive: ['/groups/configAdd', '/groups/configSetting'],
  },
  {
    key: 'users',
    path: '/users',
    section: 'office',
    roles: ['admin'],
    icon: IconUsers,
    alsoActive: ['/users/add', '/users/detail'],
  },
  { key: 'profile', path: '/users/roleEdit', section: 'office', roles: ['user'], icon: IconUsers, alsoActive: ['/profile'] },
  { key: 'logs', path: '/logs', section: 'office', roles: ['admin', 'user'], icon: IconHistory, alsoActive: [] },
  {
    key: 'reports',
    path: '/reports/list/record',
    section: 'data',
    roles: ['admin', 'user'],
    icon: IconReport,
    alsoActive: ['/reports/list/goto'],
  },
  {
    key: 'analysis',
    path: '/reports/analysis',
    section: 'data',
    roles: ['admin', 'user'],
    icon: IconChartLine,
    alsoActive: [],
  },
  {
    key: 'organization',
    path: '/organization',
    section: 'customers',
    roles: ['main'],
    icon: IconBuildingCommunity,
    alsoActive: ['/organization/add', '/organization/setting', '/organization/addUser'],
  },
  {
    key: 'orgList',
    path: '/devices/orgList',
    section: 'fleet',
    roles: ['main'],
    icon: IconRouter,
    alsoActive: ['/devices/add', '/devices/setting'],
  },
  { key: 'map', path: '/map', section: 'fleet', roles: ['main', 'admin', 'user'], icon: IconMap2, alsoActive: [] },
  { key: 'coverage', path: '/coverage', section: 'fleet', roles: ['main', 'admin', 'user'], icon: IconHexagons, alsoActive: [] },
  { key: 'geofences', path: '/geofences', section: 'fleet', roles: ['admin', 'user'], icon: IconPolygon, alsoActive: [] },
  {
    key: 'alerts',
    path: '/alerts',
    section: 'fleet',
    roles: ['main', 'admin', 'user'],
    icon: IconBell,
    alsoActive: ['/alerts/rules'],
  },
  { key: 'firmware', path: '/firmware', section: 'updates', roles: ['main'], icon: IconCpu, alsoActive: [] },
  {
    key: 'inventory',
    path: '/inventory',
    section: 'fleet',
    roles: ['main'],
    icon: IconPackages,
    alsoActive: ['/inventory/router'],
  },
  { key: 'colleagues', path: '/colleagues', section: 'office', roles: ['main'], icon: IconUsers, alsoActive: [] },
  { key: 'apiKeys', path: '/api-keys', section: 'office', roles: ['main', 'admin'], icon: IconKey, alsoActive: [] },
  {
    key: 'webhooks',
    path: '/webhooks',
    section: 'office',
    roles: ['main', 'admin'],
    icon: IconWebhook,
    alsoActive: ['/webhooks/log'],
  },
  {
    key: 'usage',
    path: '/usage',
    section: 'data',
    roles: ['main', 'admin', 'user'],
    icon: IconChartBar,
    alsoActive: ['/usage/plans'],
  },
];

/** Pages without their own sidebar entry, and the roles that may open them; their entry lists them in `alsoActive`. */
const subRoutes: Readonly<Record<string, readonly Role[]>> = {
  '/organization/setting': ['main'],
  '/usage/plans': ['admin', 'user'],
  '/inventory/router': ['main'],
  '/organization/addUser': ['main'],
  '/devices/add': ['main', 'admin'],
  '/devices/setting': ['main', 'admin', 'user'],
  '/devices/esimsAdd': ['admin'],
  '/devices/esimsEdit': ['admin'],
  '/devices/firmware': ['admin', 'user'],
  '/devices/service/noitify': ['admin', 'user'],
  '/groups/configAdd': ['admin'],
  '/groups/configSetting': ['admin'],
  '/groups/add': ['admin'],
  '/groups/detail': ['admin'],
  '/users/add': ['admin'],
  '/webhooks/log': ['main', 'admin'],
  '/alerts/rules': ['admin', 'user'],
  '/jobs': ['main', 'admin'],
  '/jobs/detail': ['main', 'admin'],
  '/users/detail': ['admin'],
  '/organization/add': ['main'],
  '/reports/list': ['admin', 'user'],
  '/profile': ['main', 'admin', 'user'],
};

/** The entries a role sees. */
export function screensOf(role: Role): readonly Screen[] {
  return screens.filter(({ roles }) => roles.includes(role));
}

/** Where `/` leads (NAV-01). */
export function homePathOf(role: Role): '/organization' | '/dashboard' {
  return role === 'main' ? '/organization' : '/dashboard';
}

/** A path without its end slash; whatever its type, a report is the one list, and an unknown type leads to it. */
const pathOf = (address: string) => address.replace(/(?<=.)\/$/u, '').replace(/^\/reports\/list\/[^/]+$/u, '/reports/list');

/** True when there is a page at a path, for any role. */
export function isPage(address: string): boolean {
  const path = pathOf(address);
  return path === '/' || subRoutes[path] !== undefined || screens.some((screen) => screen.path === path);
}

/** True when a role may open a path (NAV-02); no role may open an unknown path, and the router shows that. */
export function mayOpen(role: Role, address: string): boolean {
  const path = pathOf(address);
  const roles = screens.find((screen) => screen.path === path)?.roles ?? subRoutes[path];
  return roles?.includes(role) === true;
}

/** True when a sidebar entry is the active one. */
export function isActive(screen: Screen, path: string): boolean {
  return screen.path === path || screen.alsoActive.includes(path);
}
