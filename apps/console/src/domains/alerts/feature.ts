import { IconBell } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { alertList } from './alerts.lists.ts';

/** The inbox (ALR-03). */
const inboxRoute = createRoute({
  ...page('/alerts', ['main', 'admin', 'user'], {
    order: 180,
    section: 'fleet',
    icon: IconBell,
    title: { 'en-US': 'Alerts', 'zh-TW': '警報' },
    alsoActive: ['/alerts/rules'],
  }),
  validateSearch: listSearch(alertList),
  component: screen(['alerts'], () => import('./AlertList.tsx'), 'AlertList'),
});

const rulesRoute = createRoute({
  ...page('/alerts/rules', ['admin', 'user']),
  component: screen(['alerts', 'notifications', 'webhooks'], () => import('./RuleList.tsx'), 'RuleList'),
});

export const routes = [inboxRoute, rulesRoute] as const;

export const messages = {
  alerts: { 'en-US': () => import('./alerts.en-US.ts'), 'zh-TW': () => import('./alerts.zh-TW.ts') },
};
