import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keyList } from '../../domains/api-keys/api-keys.lists.ts';
import { deliveryList, webhookList } from '../../domains/webhooks/webhooks.lists.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, signedInRoute } from './root-route.ts';

/** What other programs use: API keys, webhooks. */
const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/api-keys',
  validateSearch: (raw: Raw) => parseListSearch(keyList, raw),
  component: lazyRouteComponent(
    withMessages(['apiKeys'], () => import('../../domains/api-keys/KeyList.tsx')),
    'KeyList',
  ),
});

const webhooksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks',
  validateSearch: (raw: Raw) => parseListSearch(webhookList, raw),
  component: lazyRouteComponent(
    withMessages(['webhooks'], () => import('../../domains/webhooks/WebhookList.tsx')),
    'WebhookList',
  ),
});

const webhookLogRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks/log',
  validateSearch: (raw: Raw) => parseListSearch(deliveryList, raw),
  beforeLoad: requireSelection('webhook', () => '/webhooks'),
  component: lazyRouteComponent(
    withMessages(['webhooks'], () => import('../../domains/webhooks/WebhookLog.tsx')),
    'WebhookLog',
  ),
});

export const programRoutes = [keysRoute, webhooksRoute, webhookLogRoute] as const;
