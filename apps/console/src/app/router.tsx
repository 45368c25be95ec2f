import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from '../api/errors.ts';
import { deviceList, orgDeviceList } from '../domains/devices/devices.lists.ts';
import { colleagueList } from '../domains/colleagues/colleagues.lists.ts';
import { configList } from '../domains/configs/configs.lists.ts';
import { esimList } from '../domains/esims/esims.lists.ts';
import { firmwareList } from '../domains/firmware/firmware.lists.ts';
import { groupList, parseDetailSearch } from '../domains/groups/groups.lists.ts';
import { inventoryList } from '../domains/inventory/inventory.lists.ts';
import { logList } from '../domains/logs/logs.lists.ts';
import { recipientList } from '../domains/notifications/notifications.lists.ts';
import { organizationList } from '../domains/organizations/organizations.lists.ts';
import { parseAnalysis } from '../domains/analysis/address.ts';
import { reportList, reportTypes } from '../domains/reports/reports.lists.ts';
import { serviceList } from '../domains/service/service.lists.ts';
import { userList } from '../domains/users/users.lists.ts';
import { overviewList } from '../domains/overview/overview.lists.ts';
import { parseListSearch } from '../ui/list/spec.ts';
import { withWords } from './i18n/i18n.ts';
import { homeOf, mayOpen } from './screens.ts';
import { hasSession, INVALID_ACCOUNT, signInAddress } from './session/leave.ts';
import { ensureSession } from './session/session.ts';
import { Broken, NotFound } from './shell/Fallbacks.tsx';
import { Shell } from './shell/Shell.tsx';

interface Context {
  readonly client: QueryClient;
}

type Raw = Record<string, unknown>;

const rootRoute = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound });

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('./session/LoginPage.tsx'), 'LoginPage'),
});

const logoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/logout',
  component: lazyRouteComponent(() => import('./session/LogoutPage.tsx'), 'LogoutPage'),
});

/** Without roles there is nothing to show (AUTH-04). Without a session the client has begun to leave for /login (AUTH-02). */
function refuse(error: unknown): Promise<never> {
  if (!(error instanceof ApiError)) throw error;
  if (error.key === 'account.no_roles') location.replace(INVALID_ACCOUNT);
  else if (error.status !== 401) throw error;
  // The page is being left: nothing may be drawn meanwhile.
  return new Promise(() => undefined);
}

/** Everything behind the sign-in: no session leads to /login (AUTH-02), a path that is not the role's to its home (NAV-02). */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: Shell,
  errorComponent: Broken,
  beforeLoad: async ({ context, location }) => {
    // The readable half of the session's cookies is missing: nobody is signed in, and no call has to find that out.
    if (!hasSession()) throw redirect({ href: signInAddress(location.href, false), replace: true });
    const session = await ensureSession(context.client).catch(refuse);
    if (!mayOpen(session.role, location.pathname)) throw redirect({ to: homeOf(session.role), replace: true });
    return { session };
  },
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
});

const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  validateSearch: (raw: Raw) => parseListSearch(overviewList, raw),
  component: lazyRouteComponent(() => import('../domains/overview/Overview.tsx'), 'Overview'),
});

const deviceListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/list',
  validateSearch: (raw: Raw) => parseListSearch(deviceList, raw),
  component: lazyRouteComponent(
    withWords(['deviceForms'], () => import('../domains/devices/DeviceList.tsx')),
    'DeviceList',
  ),
});

const orgDeviceListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/orgList',
  validateSearch: (raw: Raw) => parseListSearch(orgDeviceList, raw),
  component: lazyRouteComponent(
    withWords(['deviceForms', 'transfer'], () => import('../domains/devices/OrgDeviceList.tsx')),
    'OrgDeviceList',
  ),
});

const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization',
  validateSearch: (raw: Raw) => parseListSearch(organizationList, raw),
  component: lazyRouteComponent(
    withWords(['organizations'], () => import('../domains/organizations/OrganizationList.tsx')),
    'OrganizationList',
  ),
});

const pickedOrganization = (raw: Raw): { org?: string | undefined } => (typeof raw.org === 'string' ? { org: raw.org } : {});

const organizationSettingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/setting',
  validateSearch: pickedOrganization,
  component: lazyRouteComponent(
    withWords(['organizations', 'users'], () => import('../domains/organizations/OrganizationSetting.tsx')),
    'OrganizationSetting',
  ),
});

const contactAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/addUser',
  validateSearch: pickedOrganization,
  component: lazyRouteComponent(
    withWords(['organizations'], () => import('../domains/organizations/ContactAdd.tsx')),
    'ContactAdd',
  ),
});

/** The step of the wizard stands in the address. */
const organizationAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/add',
  validateSearch: (raw: Raw): { step?: 'devices' | 'summary' | undefined } =>
    raw.step === 'devices' || raw.step === 'summary' ? { step: raw.step } : {},
  component: lazyRouteComponent(
    withWords(['deviceForms', 'organizations', 'wizard'], () => import('../domains/organizations/wizard/OrganizationAdd.tsx')),
    'OrganizationAdd',
  ),
});

/** The method of adding and, for the main account, the organization stand in the address (DECISIONS, Selections). */
const deviceAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/add',
  validateSearch: (raw: Raw): { method?: 'import' | 'manual' | 'batch' | undefined; org?: string | undefined } => ({
    ...(raw.method === 'manual' || raw.method === 'import' || raw.method === 'batch' ? { method: raw.method } : {}),
    ...(typeof raw.org === 'string' ? { org: raw.org } : {}),
  }),
  component: lazyRouteComponent(
    withWords(['deviceForms'], () => import('../domains/devices/add/DeviceAdd.tsx')),
    'DeviceAdd',
  ),
});

const deviceSettingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/setting',
  validateSearch: (raw: Raw): { device?: string | undefined; events?: string | undefined } => ({
    ...(typeof raw.device === 'string' ? { device: raw.device } : {}),
    ...(typeof raw.events === 'string' ? { events: raw.events } : {}),
  }),
  component: lazyRouteComponent(
    withWords(
      ['commands', 'deviceForms', 'properties', 'remote', 'rollouts', 'timeline'],
      () => import('../domains/devices/setting/DeviceSetting.tsx'),
    ),
    'DeviceSetting',
  ),
});

const esimListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/esimsList',
  validateSearch: (raw: Raw) => parseListSearch(esimList, raw),
  component: lazyRouteComponent(
    withWords(['esims'], () => import('../domains/esims/EsimList.tsx')),
    'EsimList',
  ),
});

/** The method of adding stands in the address, and by hand the router whose eSIMs they are. */
const esimAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/esimsAdd',
  validateSearch: (
    raw: Raw,
  ): { method?: 'import' | 'manual' | undefined; serial?: string | undefined; eid?: string | undefined } => ({
    ...(raw.method === 'manual' || raw.method === 'import' ? { method: raw.method } : {}),
    ...(typeof raw.serial === 'string' && typeof raw.eid === 'string' ? { serial: raw.serial, eid: raw.eid } : {}),
  }),
  component: lazyRouteComponent(
    withWords(['esims'], () => import('../domains/esims/EsimAdd.tsx')),
    'EsimAdd',
  ),
});

const esimEditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/esimsEdit',
  validateSearch: (raw: Raw): { profile?: string | undefined } =>
    typeof raw.profile === 'string' ? { profile: raw.profile } : {},
  component: lazyRouteComponent(
    withWords(['esims'], () => import('../domains/esims/EsimEdit.tsx')),
    'EsimEdit',
  ),
});

const groupListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/list',
  validateSearch: (raw: Raw) => parseListSearch(groupList, raw),
  component: lazyRouteComponent(
    withWords(['groups'], () => import('../domains/groups/GroupList.tsx')),
    'GroupList',
  ),
});

const groupAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/add',
  component: lazyRouteComponent(
    withWords(['groups', 'rollouts'], () => import('../domains/groups/form/GroupAdd.tsx')),
    'GroupAdd',
  ),
});

/** The group, and which state each of its rollouts shows alone, stand in the address. */
const groupDetailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/detail',
  validateSearch: parseDetailSearch,
  component: lazyRouteComponent(
    withWords(['groups', 'rollouts'], () => import('../domains/groups/form/GroupDetail.tsx')),
    'GroupDetail',
  ),
});

const firmwaresRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/firmwares',
  validateSearch: (raw: Raw) => parseListSearch(firmwareList, raw),
  component: lazyRouteComponent(
    withWords(['firmware'], () => import('../domains/firmware/FirmwareList.tsx')),
    'FirmwareList',
  ),
});

const deviceFirmwareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/firmware',
  validateSearch: (raw: Raw) => parseListSearch(firmwareList, raw),
  component: lazyRouteComponent(
    withWords(['firmware'], () => import('../domains/firmware/FirmwareList.tsx')),
    'FirmwareList',
  ),
});

const catalogueRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/firmware',
  validateSearch: (raw: Raw) => parseListSearch(firmwareList, raw),
  component: lazyRouteComponent(
    withWords(['firmware'], () => import('../domains/firmware/FirmwareCatalogue.tsx')),
    'FirmwareCatalogue',
  ),
});

const configListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/config',
  validateSearch: (raw: Raw) => parseListSearch(configList, raw),
  component: lazyRouteComponent(
    withWords(['configs'], () => import('../domains/configs/ConfigList.tsx')),
    'ConfigList',
  ),
});

const configAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/configAdd',
  component: lazyRouteComponent(
    withWords(['configs'], () => import('../domains/configs/ConfigAdd.tsx')),
    'ConfigAdd',
  ),
});

const configSettingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/configSetting',
  validateSearch: (raw: Raw): { config?: string | undefined } => (typeof raw.config === 'string' ? { config: raw.config } : {}),
  component: lazyRouteComponent(
    withWords(['configs'], () => import('../domains/configs/ConfigSetting.tsx')),
    'ConfigSetting',
  ),
});

const logsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/logs',
  validateSearch: (raw: Raw) => parseListSearch(logList, raw),
  component: lazyRouteComponent(
    withWords(['logs'], () => import('../domains/logs/LogList.tsx')),
    'LogList',
  ),
});

/** An unknown type leads to the list; `goto` is the same list, reached from a chart (RPT-02). */
const reportListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports/list/$type',
  validateSearch: (raw: Raw) => parseListSearch(reportList, raw),
  beforeLoad: ({ params: { type } }) => {
    if (!reportTypes.some((known) => known === type))
      throw redirect({ to: '/reports/list/$type', params: { type: 'record' }, search: {}, replace: true });
  },
  component: lazyRouteComponent(
    withWords(['reports'], () => import('../domains/reports/ReportList.tsx')),
    'ReportList',
  ),
});

const reportsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports/list',
  beforeLoad: () => {
    throw redirect({ to: '/reports/list/$type', params: { type: 'record' }, search: {}, replace: true });
  },
});

const analysisRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports/analysis',
  validateSearch: parseAnalysis,
  component: lazyRouteComponent(
    withWords(['analysis', 'reports'], () => import('../domains/analysis/Analysis.tsx')),
    'Analysis',
  ),
});

const inventoryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/inventory',
  validateSearch: (raw: Raw) => parseListSearch(inventoryList, raw),
  component: lazyRouteComponent(
    withWords(['deviceForms', 'inventory'], () => import('../domains/inventory/InventoryList.tsx')),
    'InventoryList',
  ),
});

const colleaguesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/colleagues',
  validateSearch: (raw: Raw) => parseListSearch(colleagueList, raw),
  component: lazyRouteComponent(
    withWords(['colleagues', 'users'], () => import('../domains/colleagues/ColleagueList.tsx')),
    'ColleagueList',
  ),
});

const serviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/service',
  validateSearch: (raw: Raw) => parseListSearch(serviceList, raw),
  component: lazyRouteComponent(
    withWords(['notifications', 'service'], () => import('../domains/service/ServiceStatus.tsx')),
    'ServiceStatus',
  ),
});

const notificationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/service/noitify',
  validateSearch: (raw: Raw) => parseListSearch(recipientList, raw),
  component: lazyRouteComponent(
    withWords(['notifications', 'service'], () => import('../domains/notifications/NotificationScreen.tsx')),
    'NotificationScreen',
  ),
});

/** The word as one would spell it; the page behind it asks who comes. */
const spelledNotificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/service/notify',
  beforeLoad: () => {
    throw redirect({ to: '/devices/service/noitify', replace: true });
  },
});

const userListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users',
  validateSearch: (raw: Raw) => parseListSearch(userList, raw),
  component: lazyRouteComponent(
    withWords(['users'], () => import('../domains/users/UserList.tsx')),
    'UserList',
  ),
});

const userAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/add',
  component: lazyRouteComponent(
    withWords(['notifications', 'users'], () => import('../domains/users/UserAdd.tsx')),
    'UserAdd',
  ),
});

const userDetailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/detail',
  validateSearch: (raw: Raw): { user?: string | undefined } => (typeof raw.user === 'string' ? { user: raw.user } : {}),
  component: lazyRouteComponent(
    withWords(['notifications', 'users'], () => import('../domains/users/UserDetail.tsx')),
    'UserDetail',
  ),
});

const roleEditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/roleEdit',
  component: lazyRouteComponent(
    withWords(['users'], () => import('../domains/users/OwnProfile.tsx')),
    'OwnProfile',
  ),
});

/** The same page for the roles that have no entry of it: the account menu leads here. */
const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyRouteComponent(
    withWords(['users'], () => import('../domains/users/OwnProfile.tsx')),
    'OwnProfile',
  ),
});

const routeTree = rootRoute.addChildren([
  loginRoute,
  logoutRoute,
  spelledNotificationRoute,
  signedInRoute.addChildren([
    homeRoute,
    dashboardRoute,
    deviceListRoute,
    orgDeviceListRoute,
    organizationRoute,
    organizationSettingRoute,
    contactAddRoute,
    organizationAddRoute,
    deviceAddRoute,
    deviceSettingRoute,
    esimListRoute,
    esimAddRoute,
    esimEditRoute,
    groupListRoute,
    groupAddRoute,
    groupDetailRoute,
    inventoryRoute,
    colleaguesRoute,
    firmwaresRoute,
    deviceFirmwareRoute,
    catalogueRoute,
    configListRoute,
    configAddRoute,
    configSettingRoute,
    logsRoute,
    reportListRoute,
    reportsRoute,
    analysisRoute,
    serviceRoute,
    notificationRoute,
    userListRoute,
    userAddRoute,
    userDetailRoute,
    roleEditRoute,
    profileRoute,
  ]),
]);

/** Plain texts in the address: `?search=007` stays what was typed, and a person can read and write it. */
function parseSearch(text: string): Raw {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Raw): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Make the router of the console. */
export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    scrollToTopSelectors: ['#content'],
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Broken,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
