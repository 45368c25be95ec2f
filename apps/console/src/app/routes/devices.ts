import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { deviceList, orgDeviceList } from '../../entities/devices/devices.lists.ts';
import { parseDeviceSearch } from '../../domains/devices/setting/tabs.ts';
import { recipientList } from '../../domains/notifications/notifications.lists.ts';
import { serviceList } from '../../domains/service/service.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, rootRoute, signedInRoute, textsOf } from './root-route.ts';

const deviceListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/list',
  validateSearch: (raw: Raw) => parseListSearch(deviceList, raw),
  component: lazyRouteComponent(
    withMessages(['bulkJobs', 'deviceForms', 'groups'], () => import('../../domains/devices/DeviceList.tsx')),
    'DeviceList',
  ),
});

const orgDeviceListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/orgList',
  validateSearch: (raw: Raw) => parseListSearch(orgDeviceList, raw),
  component: lazyRouteComponent(
    withMessages(['bulkJobs', 'deviceForms', 'groups', 'transfer'], () => import('../../domains/devices/OrgDeviceList.tsx')),
    'OrgDeviceList',
  ),
});

/** The method of adding and, for the main account, the organization are part of the address (DECISIONS, Selections). */
const deviceAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/add',
  validateSearch: (raw: Raw): { method?: 'import' | 'manual' | 'batch' | undefined; org?: string | undefined } => ({
    ...(raw.method === 'manual' || raw.method === 'import' || raw.method === 'batch' ? { method: raw.method } : {}),
    ...textsOf('org')(raw),
  }),
  component: lazyRouteComponent(
    withMessages(['deviceForms'], () => import('../../domains/devices/add/DeviceAdd.tsx')),
    'DeviceAdd',
  ),
});

const deviceSettingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/setting',
  validateSearch: (raw: Raw) => parseDeviceSearch(raw),
  beforeLoad: requireSelection('device', (role) => (role === 'main' ? '/devices/orgList' : '/devices/list')),
  component: lazyRouteComponent(
    withMessages(
      ['commands', 'deviceForms', 'devicePage', 'esims', 'groups', 'properties', 'remote', 'rollouts', 'timeline'],
      () => import('../../domains/devices/setting/DeviceSetting.tsx'),
    ),
    'DeviceSetting',
  ),
});

const serviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/service',
  validateSearch: (raw: Raw) => parseListSearch(serviceList, raw),
  component: lazyRouteComponent(
    withMessages(['bulkJobs', 'groups', 'notifications', 'service'], () => import('../../domains/service/ServiceStatus.tsx')),
    'ServiceStatus',
  ),
});

const notificationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/service/noitify',
  validateSearch: (raw: Raw) => parseListSearch(recipientList, raw),
  component: lazyRouteComponent(
    withMessages(['notifications', 'service'], () => import('../../domains/notifications/NotificationScreen.tsx')),
    'NotificationScreen',
  ),
});

/** The correctly spelled address; the page it redirects to checks the role. */
export const spelledNotificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/service/notify',
  beforeLoad: () => {
    throw redirect({ to: '/devices/service/noitify', replace: true });
  },
});

export const deviceRoutes = [
  deviceListRoute,
  orgDeviceListRoute,
  deviceAddRoute,
  deviceSettingRoute,
  serviceRoute,
  notificationRoute,
] as const;
