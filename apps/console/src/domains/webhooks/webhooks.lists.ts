import { listSpec } from '../../ui/list/spec.ts';

/** /webhooks: webhooks, the newest first (HKS-01). */
export const webhookList = listSpec({ id: 'webhooks', defaultSize: 10, sorts: [], fields: [], filters: { org: 'text' } });

/** /webhooks/log: the events of one webhook, the newest first. */
export const deliveryList = listSpec({
  id: 'webhook-log',
  defaultSize: 20,
  sorts: [],
  fields: [],
  filters: { webhook: 'text', state: ['waiting', 'delivered', 'failed'] },
  keeps: ['webhook'],
});
