import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { usageList } from '../../domains/usage/usage.lists.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { type Raw, signedInRoute } from './root-route.ts';

/** Data used per SIM (USE-02). */
const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/usage',
  validateSearch: (raw: Raw) => parseListSearch(usageList, raw),
  component: lazyRouteComponent(
    withMessages(['usage'], () => import('../../domains/usage/UsagePage.tsx')),
    'UsagePage',
  ),
});

const plansRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/usage/plans',
  component: lazyRouteComponent(
    withMessages(['usage'], () => import('../../domains/usage/PlansPage.tsx')),
    'PlansPage',
  ),
});

export const usageRoutes = [usageRoute, plansRoute] as const;
