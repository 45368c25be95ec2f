import { webhooks as calls } from '@highline/contract';
import { required, type Scope } from '../../kernel/index.ts';
import { sendVersioned, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { toDeliveryDto, toDetailDto } from './delivery.dto.ts';
import { deliveryList, endpoints, findDelivery } from './webhooks.queries.ts';
import {
  createWebhook,
  deleteWebhook,
  listEvents,
  readableTypes,
  rejectUnreadableType,
  resendDelivery,
  resumeWebhook,
  rotateSecret,
  saveWebhook,
  suspendWebhook,
  testWebhook,
  type WebhookDeps,
} from './webhooks.service.ts';

export interface WebhookRoutesDeps extends WebhookDeps, Pick<Deps, 'reader' | 'streams'> {}

/** Registers the operations of webhooks (HKS-01). */
export function registerWebhookRoutes(routes: Routes, deps: WebhookRoutesDeps): void {
  const read = (scope: Scope, id: string) => endpoints.get(deps, scope, id);
  const readDelivery = async (scope: Scope, id: string, delivery: string) => {
    await read(scope, id);
    return required(await findDelivery(deps.reader, scope, id, delivery), 'webhook.delivery_not_found');
  };

  routes.on(calls.listWebhooks, async ({ scope, query }) => endpoints.list(deps.clock.now()).respond(deps, scope, query));
  routes.on(calls.showWebhook, async ({ scope, params }) => ({ result: await read(scope, params.webhook) }));
  routes.on(calls.listWebhookEvents, async () => ({ result: listEvents() }));
  routes.on(calls.createWebhook, async ({ scope, actor, body }) => {
    const { id, secret } = await createWebhook(deps, scope, actor, body);
    return { result: await read(scope, id), secret };
  });
  routes.on(calls.saveWebhook, async ({ scope, actor, params, body, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => saveWebhook(deps, scope, actor, params.webhook, body, isCurrent),
      () => read(scope, params.webhook),
    ),
  );
  routes.on(calls.deleteWebhook, async ({ scope, actor, params }) => {
    await deleteWebhook(deps, scope, actor, params.webhook);
    return { result: { deleted: 1 as const } };
  });
  routes.on(calls.rotateWebhookSecret, async ({ scope, actor, params, body }) => {
    const secret = await rotateSecret(deps, scope, actor, params.webhook, body.overlapHours);
    return { result: await read(scope, params.webhook), secret };
  });
  routes.on(calls.suspendWebhook, async ({ scope, actor, params }) => {
    await suspendWebhook(deps, scope, actor, params.webhook);
    return { result: await read(scope, params.webhook) };
  });
  routes.on(calls.resumeWebhook, async ({ scope, actor, params }) => {
    await resumeWebhook(deps, scope, actor, params.webhook);
    return { result: await read(scope, params.webhook) };
  });
  routes.on(calls.testWebhook, async ({ scope, actor, params }) => {
    const id = await testWebhook(deps, scope, actor, params.webhook);
    return { result: toDetailDto(await readDelivery(scope, params.webhook, id)) };
  });
  routes.on(calls.listDeliveries, async ({ scope, actor, params, query }) => {
    const { id } = await read(scope, params.webhook);
    return deliveryList(id, readableTypes(actor)).respond(deps, scope, query);
  });
  routes.on(calls.showDelivery, async ({ scope, actor, params }) => {
    const delivery = await readDelivery(scope, params.webhook, params.delivery);
    rejectUnreadableType(actor, delivery.type);
    return { result: toDetailDto(delivery) };
  });
  routes.on(calls.resendDelivery, async ({ scope, actor, params }) => {
    const { id, type } = await readDelivery(scope, params.webhook, params.delivery);
    await resendDelivery(deps, scope, actor, params.webhook, { id, type });
    return { result: toDeliveryDto(await readDelivery(scope, params.webhook, params.delivery)) };
  });
}
