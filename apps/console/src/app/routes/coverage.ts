import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { coverageList } from '../../domains/coverage/coverage.lists.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { type Raw, signedInRoute } from './root-route.ts';

/** The view, the period, the network and the chosen hexagon are part of the address (POS-06). */
const coverageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/coverage',
  validateSearch: (raw: Raw) => parseListSearch(coverageList, raw),
  component: lazyRouteComponent(
    withMessages(['coverage'], () => import('../../domains/coverage/CoverageScreen.tsx')),
    'CoverageScreen',
  ),
});

export const coverageRoutes = [coverageRoute] as const;
