import { IconRouter } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { type Raw, listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { deviceList, orgDeviceList } from '../../entities/devices/devices.lists.ts';
import { parseDeviceSearch } from './setting/tabs.ts';

const deviceListRoute = createRoute({
  ...page('/devices/list', ['admin', 'user'], {
    order: 20,
    section: 'fleet',
    icon: IconRouter,
    title: { 'en-US': 'Devices', 'zh-TW': '裝置' },
    alsoActive: ['/devices/add', '/devices/setting', '/devices/terminal'],
  }),
  validateSearch: listSearch(deviceList),
  component: screen(['bulkJobs', 'commands', 'deviceForms', 'groups'], () => import('./DeviceList.tsx'), 'DeviceList'),
});

const orgDeviceListRoute = createRoute({
  ...page('/devices/orgList', ['main'], {
    order: 140,
    section: 'fleet',
    icon: IconRouter,
    title: { 'en-US': 'Devices', 'zh-TW': '裝置' },
    alsoActive: ['/devices/add', '/devices/setting'],
  }),
  validateSearch: listSearch(orgDeviceList),
  component: screen(
    ['bulkJobs', 'commands', 'deviceForms', 'groups', 'transfer'],
    () => import('./OrgDeviceList.tsx'),
    'OrgDeviceList',
  ),
});

/** The method of adding and, for the main account, the organization are part of the address (DECISIONS, Selections). */
const deviceAddRoute = createRoute({
  ...page('/devices/add', ['main', 'admin']),
  validateSearch: (raw: Raw): { method?: 'import' | 'manual' | 'batch' | undefined; org?: string | undefined } => ({
    ...(raw.method === 'manual' || raw.method === 'import' || raw.method === 'batch' ? { method: raw.method } : {}),
    ...textsOf('org')(raw),
  }),
  component: screen(['deviceForms'], () => import('./add/DeviceAdd.tsx'), 'DeviceAdd'),
});

const deviceSettingRoute = createRoute({
  ...page('/devices/setting', ['main', 'admin', 'user']),
  validateSearch: parseDeviceSearch,
  beforeLoad: requireSelection('device', (role) => (role === 'main' ? orgDeviceListRoute : deviceListRoute)),
  component: screen(
    [
      'commands',
      'deviceForms',
      'devicePage',
      'esims',
      'findings',
      'groups',
      'places',
      'properties',
      'remote',
      'rollouts',
      'settingFaults',
      'timeline',
    ],
    () => import('./setting/DeviceSetting.tsx'),
    'DeviceSetting',
  ),
});

const deviceTerminalRoute = createRoute({
  ...page('/devices/terminal', ['admin']),
  validateSearch: textsOf('device'),
  beforeLoad: requireSelection('device', () => deviceListRoute),
  component: screen(['deviceForms', 'remote'], () => import('./setting/DeviceTerminal.tsx'), 'DeviceTerminal'),
});

export const routes = [deviceListRoute, orgDeviceListRoute, deviceAddRoute, deviceSettingRoute, deviceTerminalRoute] as const;

export const messages = {
  deviceForms: { 'en-US': () => import('./device-forms.en-US.ts'), 'zh-TW': () => import('./device-forms.zh-TW.ts') },
  devicePage: {
    'en-US': () => import('./setting/device-page.en-US.ts'),
    'zh-TW': () => import('./setting/device-page.zh-TW.ts'),
  },
  findings: {
    'en-US': () => import('./setting/findings.en-US.ts'),
    'zh-TW': () => import('./setting/findings.zh-TW.ts'),
  },
  transfer: { 'en-US': () => import('./transfer/transfer.en-US.ts'), 'zh-TW': () => import('./transfer/transfer.zh-TW.ts') },
  timeline: { 'en-US': () => import('./setting/timeline.en-US.ts'), 'zh-TW': () => import('./setting/timeline.zh-TW.ts') },
};
