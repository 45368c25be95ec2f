import { IconStack2 } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen } from '../../routing/page.ts';
import { groupList, parseDetailSearch } from './groups.lists.ts';

const groupListRoute = createRoute({
  ...page('/groups/list', ['admin', 'user'], {
    order: 50,
    section: 'updates',
    icon: IconStack2,
    title: { 'en-US': 'Groups', 'zh-TW': '群組' },
    alsoActive: ['/groups/add', '/groups/detail'],
  }),
  validateSearch: listSearch(groupList),
  component: screen(['groups'], () => import('./GroupList.tsx'), 'GroupList'),
});

const groupAddRoute = createRoute({
  ...page('/groups/add', ['admin']),
  component: screen(['groups', 'rolloutOptions', 'rollouts'], () => import('./form/GroupAdd.tsx'), 'GroupAdd'),
});

/** The group and the state filter of each of its rollouts are part of the address. */
const groupDetailRoute = createRoute({
  ...page('/groups/detail', ['admin']),
  validateSearch: parseDetailSearch,
  beforeLoad: requireSelection('group', () => groupListRoute),
  component: screen(
    ['bulkJobs', 'groups', 'rolloutOptions', 'rollouts', 'settingFaults'],
    () => import('./form/GroupDetail.tsx'),
    'GroupDetail',
  ),
});

export const routes = [groupListRoute, groupAddRoute, groupDetailRoute] as const;

export const messages = {
  groups: { 'en-US': () => import('./groups.en-US.ts'), 'zh-TW': () => import('./groups.zh-TW.ts') },
  rolloutOptions: {
    'en-US': () => import('./form/rollout-options.en-US.ts'),
    'zh-TW': () => import('./form/rollout-options.zh-TW.ts'),
  },
  rollouts: { 'en-US': () => import('./rollout/rollouts.en-US.ts'), 'zh-TW': () => import('./rollout/rollouts.zh-TW.ts') },
};
