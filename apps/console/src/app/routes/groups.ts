import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { configList } from '../../domains/configs/configs.lists.ts';
import { groupList, parseDetailSearch } from '../../domains/groups/groups.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, signedInRoute, textsOf } from './root-route.ts';

const groupListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/list',
  validateSearch: (raw: Raw) => parseListSearch(groupList, raw),
  component: lazyRouteComponent(
    withMessages(['groups'], () => import('../../domains/groups/GroupList.tsx')),
    'GroupList',
  ),
});

const groupAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/add',
  component: lazyRouteComponent(
    withMessages(['groups', 'rollouts'], () => import('../../domains/groups/form/GroupAdd.tsx')),
    'GroupAdd',
  ),
});

/** The group and the state filter of each of its rollouts are part of the address. */
const groupDetailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/detail',
  validateSearch: parseDetailSearch,
  beforeLoad: requireSelection('group', () => '/groups/list'),
  component: lazyRouteComponent(
    withMessages(['bulkJobs', 'groups', 'rollouts'], () => import('../../domains/groups/form/GroupDetail.tsx')),
    'GroupDetail',
  ),
});

const configListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/config',
  validateSearch: (raw: Raw) => parseListSearch(configList, raw),
  component: lazyRouteComponent(
    withMessages(['configs'], () => import('../../domains/configs/ConfigList.tsx')),
    'ConfigList',
  ),
});

const configAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/configAdd',
  component: lazyRouteComponent(
    withMessages(['configs'], () => import('../../domains/configs/ConfigAdd.tsx')),
    'ConfigAdd',
  ),
});

const configSettingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/configSetting',
  validateSearch: textsOf('config'),
  beforeLoad: requireSelection('config', () => '/groups/config'),
  component: lazyRouteComponent(
    withMessages(['configs'], () => import('../../domains/configs/ConfigSetting.tsx')),
    'ConfigSetting',
  ),
});

export const groupRoutes = [
  groupListRoute,
  groupAddRoute,
  groupDetailRoute,
  configListRoute,
  configAddRoute,
  configSettingRoute,
] as const;
