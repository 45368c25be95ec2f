import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen, textsOf } from '../../routing/page.ts';
import { settingsList } from './settings.lists.ts';

/** What the organization, a group or a device sets on routers; the page of a group leads to it (TPL-02). */
const settingsRoute = createRoute({
  ...page('/groups/settings', ['admin', 'user']),
  validateSearch: textsOf('group', 'device'),
  component: screen(['routerSettings', 'commands', 'groups', 'rolloutOptions'], () => import('./LevelPage.tsx'), 'LevelPage'),
});

const devicesRoute = createRoute({
  ...page('/groups/settings/devices', ['admin', 'user']),
  validateSearch: listSearch(settingsList),
  component: screen(
    ['deviceForms', 'routerSettings', 'rollouts', 'settingFaults'],
    () => import('./SettingsList.tsx'),
    'SettingsList',
  ),
});

export const routes = [settingsRoute, devicesRoute] as const;

export const messages = {
  routerSettings: {
    'en-US': () => import('./router-settings.en-US.ts'),
    'zh-TW': () => import('./router-settings.zh-TW.ts'),
  },
};
