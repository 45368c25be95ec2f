import { IconWebhook } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen } from '../../routing/page.ts';
import { deliveryList, webhookList } from './webhooks.lists.ts';

const webhooksRoute = createRoute({
  ...page('/webhooks', ['main', 'admin'], {
    order: 230,
    section: 'office',
    icon: IconWebhook,
    title: { 'en-US': 'Webhooks', 'zh-TW': 'Webhook' },
    alsoActive: ['/webhooks/log'],
  }),
  validateSearch: listSearch(webhookList),
  component: screen(['webhooks'], () => import('./WebhookList.tsx'), 'WebhookList'),
});

const webhookLogRoute = createRoute({
  ...page('/webhooks/log', ['main', 'admin']),
  validateSearch: listSearch(deliveryList),
  beforeLoad: requireSelection('webhook', () => webhooksRoute),
  component: screen(['webhooks'], () => import('./WebhookLog.tsx'), 'WebhookLog'),
});

export const routes = [webhooksRoute, webhookLogRoute] as const;

export const messages = {
  webhooks: { 'en-US': () => import('./webhooks.en-US.ts'), 'zh-TW': () => import('./webhooks.zh-TW.ts') },
};
