import { IconBell } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { actionList, alertList, peopleList } from './alerts.lists.ts';

/** The inbox (ALR-03). */
const inboxRoute = createRoute({
  ...page('/alerts', ['main', 'admin', 'user'], {
    order: 180,
    section: 'fleet',
    icon: IconBell,
    title: { 'en-US': 'Alerts', 'zh-TW': '警報' },
    alsoActive: ['/alerts/rules', '/alerts/people', '/alerts/actions'],
  }),
  validateSearch: listSearch(alertList),
  component: screen(['alerts', 'places'], () => import('./AlertList.tsx'), 'AlertList'),
});

const rulesRoute = createRoute({
  ...page('/alerts/rules', ['admin', 'user']),
  component: screen(['alerts', 'commands', 'notifications', 'webhooks'], () => import('./RuleList.tsx'), 'RuleList'),
});

/** Who is notified (SAY-05). */
const peopleRoute = createRoute({
  ...page('/alerts/people', ['admin', 'user']),
  validateSearch: listSearch(peopleList),
  component: screen(['alerts'], () => import('./PeopleList.tsx'), 'PeopleList'),
});

/** What rules did by themselves (WIN-03). */
const actionsRoute = createRoute({
  ...page('/alerts/actions', ['admin', 'user']),
  validateSearch: listSearch(actionList),
  component: screen(['alerts'], () => import('./ActionLog.tsx'), 'ActionLog'),
});

export const routes = [inboxRoute, rulesRoute, peopleRoute, actionsRoute] as const;

export const messages = {
  alerts: { 'en-US': () => import('./alerts.en-US.ts'), 'zh-TW': () => import('./alerts.zh-TW.ts') },
};
