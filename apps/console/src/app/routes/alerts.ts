import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { alertList } from '../../domains/alerts/alerts.lists.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { type Raw, signedInRoute } from './root-route.ts';

/** The inbox (ALR-03). */
const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/alerts',
  validateSearch: (raw: Raw) => parseListSearch(alertList, raw),
  component: lazyRouteComponent(
    withMessages(['alerts'], () => import('../../domains/alerts/AlertList.tsx')),
    'AlertList',
  ),
});

const rulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/alerts/rules',
  component: lazyRouteComponent(
    withMessages(['alerts', 'notifications', 'webhooks'], () => import('../../domains/alerts/RuleList.tsx')),
    'RuleList',
  ),
});

export const alertRoutes = [inboxRoute, rulesRoute] as const;
