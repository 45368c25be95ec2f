import type { MasterKey } from '../../kernel/sealing.ts';
import { createSampled, type Figure } from '../../platform/metrics/index.ts';
import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createSecretSealing } from './secret.ts';
import { recordEndingSubscriptions } from './subscriptions.job.queries.ts';
import { countWaiting, purgeDeliveries, type WaitingDeliveries } from './webhook-delivery.job.queries.ts';
import { createWebhookWorker, type WebhookWorker, type WorkerDeps } from './webhook-worker.ts';
import { registerWebhookRoutes, type WebhookRoutesDeps } from './webhooks.routes.ts';
import { removeWebhooksOf } from './webhooks.store.ts';

interface WebhookModuleDeps extends Omit<WebhookRoutesDeps, 'webhookSealing' | 'wakeWebhooks'>, Omit<WorkerDeps, 'sealing'> {
  readonly settings: Pick<Settings, 'webhooks'>;
  readonly masterKey: MasterKey;
  /** Work for everyone that a call only triggers; none is done before the server listens. */
  readonly inBackground: (work: () => void) => void;
}

const DAY = 86_400_000;

export const webhooksModule: Module<WebhookModuleDeps> = {
  open(routes, deps) {
    const { database, clock, settings } = deps;
    const sealing = createSecretSealing(deps.masterKey);
    const worker = createWebhookWorker({ ...deps, sealing });
    const wakeWebhooks = () => deps.inBackground(() => worker.wake());
    registerWebhookRoutes(routes, { ...deps, webhookSealing: sealing, wakeWebhooks });
    const { logDays } = settings.webhooks;
    return {
      jobs: [
        {
          name: 'webhooks: retention',
          everyMs: 3_600_000,
          run: (now) => purgeDeliveries(database, new Date(now.getTime() - logDays * DAY)),
        },
        {
          name: 'webhooks: ending subscriptions',
          everyMs: 1_800_000,
          isShared: true,
          run: (now) => recordEndingSubscriptions(database, now),
        },
        worker.job,
      ],
      metrics() {
        const waiting = createSampled<WaitingDeliveries>('waiting webhooks', clock, () => countWaiting(database, clock.now()));
        return { figures: figuresOf(worker, waiting.read), jobs: [waiting.job] };
      },
      stop: () => worker.stop(),
    };
  },
  sealed: [
    sealedFor('webhook_endpoints', 'sealed_secret', { id: 'uuid' }, 'id', createSecretSealing),
    sealedFor('webhook_endpoints', 'previous_secret', { id: 'uuid' }, 'id', createSecretSealing),
  ],
  organizationEnd: { close: removeWebhooksOf },
};

/** Events on their way to the programs of organizations. */
function figuresOf(worker: Pick<WebhookWorker, 'stats'>, readWaiting: () => WaitingDeliveries | number): Figure[] {
  const counted = (key: keyof WaitingDeliveries) => () => {
    const waiting = readWaiting();
    return typeof waiting === 'number' ? waiting : waiting[key];
  };
  const sampled = 'Of the whole installation; counted every 15 seconds; NaN while the database does not answer.';
  return [
    {
      name: 'webhooks_due',
      help: `Events for webhooks that are due; 10000 = at least that many. ${sampled}`,
      read: counted('due'),
    },
    {
      name: 'webhooks_oldest_due_seconds',
      help: `Since when the oldest of these has been due. ${sampled}`,
      read: counted('oldestSeconds'),
    },
    {
      name: 'webhooks_suspended',
      help: `Webhooks that are suspended: by a person, or after days of failures. ${sampled}`,
      read: counted('suspended'),
    },
    {
      name: 'webhook_calls_total',
      help: 'Calls of webhooks by this process by their outcome: the event was delivered, will be sent again, or is given up.',
      label: 'outcome',
      isCounter: true,
      read: () => ({ ...worker.stats() }),
    },
  ];
}
