import { IconFileSettings } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { configList } from './configs.lists.ts';

const configListRoute = createRoute({
  ...page('/groups/config', ['admin'], {
    order: 70,
    section: 'updates',
    icon: IconFileSettings,
    title: { 'en-US': 'Config Files', 'zh-TW': '設定檔' },
    alsoActive: ['/groups/configAdd', '/groups/configSetting'],
  }),
  validateSearch: listSearch(configList),
  component: screen(['configs'], () => import('./ConfigList.tsx'), 'ConfigList'),
});

const configAddRoute = createRoute({
  ...page('/groups/configAdd', ['admin']),
  component: screen(['configs'], () => import('./ConfigAdd.tsx'), 'ConfigAdd'),
});

const configSettingRoute = createRoute({
  ...page('/groups/configSetting', ['admin']),
  validateSearch: textsOf('config'),
  beforeLoad: requireSelection('config', () => configListRoute),
  component: screen(['configs'], () => import('./ConfigSetting.tsx'), 'ConfigSetting'),
});

export const routes = [configListRoute, configAddRoute, configSettingRoute] as const;

export const messages = {
  configs: { 'en-US': () => import('./configs.en-US.ts'), 'zh-TW': () => import('./configs.zh-TW.ts') },
};
