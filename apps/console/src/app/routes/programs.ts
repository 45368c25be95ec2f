import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keyList } from '../../domains/api-keys/api-keys.lists.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { type Raw, signedInRoute } from './root-route.ts';

/** What other programs use: API keys. */
const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/api-keys',
  validateSearch: (raw: Raw) => parseListSearch(keyList, raw),
  component: lazyRouteComponent(
    withMessages(['apiKeys'], () => import('../../domains/api-keys/KeyList.tsx')),
    'KeyList',
  ),
});

export const programRoutes = [keysRoute] as const;
