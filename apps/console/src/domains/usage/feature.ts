import { IconChartBar } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { usageList } from './usage.lists.ts';

/** Data used per SIM (USE-02). */
const usageRoute = createRoute({
  ...page('/usage', ['main', 'admin', 'user'], {
    order: 240,
    section: 'data',
    icon: IconChartBar,
    title: { 'en-US': 'Data Use', 'zh-TW': '數據用量' },
    alsoActive: ['/usage/plans'],
  }),
  validateSearch: listSearch(usageList),
  component: screen(['usage'], () => import('./UsagePage.tsx'), 'UsagePage'),
});

const plansRoute = createRoute({
  ...page('/usage/plans', ['admin', 'user']),
  component: screen(['usage'], () => import('./PlansPage.tsx'), 'PlansPage'),
});

export const routes = [usageRoute, plansRoute] as const;

export const messages = {
  usage: { 'en-US': () => import('./usage.en-US.ts'), 'zh-TW': () => import('./usage.zh-TW.ts') },
};
