import { IconLayoutDashboard } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { overviewList } from './overview.lists.ts';

const dashboardRoute = createRoute({
  ...page('/dashboard', ['admin', 'user'], {
    order: 10,
    section: 'top',
    icon: IconLayoutDashboard,
    title: { 'en-US': 'Overview', 'zh-TW': '總覽' },
  }),
  validateSearch: listSearch(overviewList),
  component: screen([], () => import('./Overview.tsx'), 'Overview'),
});

export const routes = [dashboardRoute] as const;

export const messages = {
  carrierColors: { 'en-US': () => import('./carrier-colors.en-US.ts'), 'zh-TW': () => import('./carrier-colors.zh-TW.ts') },
};
