import { z } from 'zod';
import { managers, operation } from '../operation.ts';
import { deletion, groupKey, line, MAX_TAG_LENGTH, pageOf, paging, tenantBody, tenantQuery, typedName } from '../conventions.ts';
import { webhookFormats } from './formats.ts';
import { type SubscribedEvent, webhookEvents, webhookEventTypes, type WebhookEventType } from './webhook-events.ts';

export { webhookFormats, type WebhookFormat } from './formats.ts';
export {
  type SubscribedEvent,
  webhookEvents,
  webhookEventTypes,
  type WebhookData,
  type WebhookEventType,
} from './webhook-events.ts';

/** The most webhooks of an organization, or of a main account itself. */
export const MOST_WEBHOOKS = 20;
export const MOST_WEBHOOK_GROUPS = 200;
export const MOST_WEBHOOK_TAGS = 20;
export const LONGEST_WEBHOOK_URL = 1_000;
/** The longest time that a former secret signs too, hours. */
export const LONGEST_SECRET_OVERLAP_HOURS = 168;
/** An endpoint that has rejected everything for this many days is suspended. */
export const SUSPENDED_AFTER_DAYS = 5;

/** 'failing': its last calls failed, and are tried again. */
export const webhookStates = ['active', 'failing', 'suspended', 'off'] as const;
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const eventType = z.enum(Object.keys(webhookEvents) as [WebhookEventType, ...WebhookEventType[]]);
const subscribable = z.enum(webhookEventTypes as [SubscribedEvent, ...SubscribedEvent[]]);

/** A webhook in the API, without its secret (HKS-01). */
export const webhook = z.object({
  id: z.string(),
  /** Null: the main account with all of its organizations. */
  org: z.string().nullable(),
  /** Name of the organization. */
  orgName: z.string(),
  name: z.string(),
  url: z.string(),
  format: z.enum(webhookFormats),
  events: z.array(subscribable),
  /** Keys of groups; null = every group. */
  groups: z.array(z.string()).nullable(),
  /** Tags of devices, of which a device needs one; null = every device. */
  tags: z.array(z.string()).nullable(),
  /** While it is off nothing is recorded for it. */
  enabled: z.boolean(),
  state: z.enum(webhookStates),
  /** Since when every call has failed; null = the last one did not. */
  failingSince: z.string().nullable(),
  suspendedAt: z.string().nullable(),
  /** Who suspended it; null = it is not suspended, or was after days of failures. */
  suspendedBy: z.string().nullable(),
  created: z.string(),
  /** E-mail address of its maker. */
  by: z.string(),
  /** Until when the secret before the last rotation signs too. */
  previousUntil: z.string().nullable(),
  /** The newest event of its log. */
  lastDelivery: z.object({ state: z.enum(deliveryStates), at: z.string() }).nullable(),
  /** Changes with every save; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type Webhook = z.infer<typeof webhook>;

/** One call of an endpoint. */
export const webhookAttempt = z.object({
  at: z.string(),
  /** Milliseconds. */
  took: z.number(),
  /** HTTP status; null = there was no response. */
  status: z.number().int().nullable(),
  /** Why there was no response, or why it counts as a failure; empty = it succeeded. */
  error: z.string(),
  /** The first 4 KB of the response. */
  answer: z.string(),
});

const deliveryFields = {
  id: z.string(),
  type: eventType,
  /** When the event happened. */
  at: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  /** HTTP status of the last attempt. */
  status: z.number().int().nullable(),
  error: z.string(),
  /** When it is sent, or sent again; null = it is over. */
  next: z.string().nullable(),
  device: z.string().nullable(),
};
/** An event in the log of an endpoint. */
export const webhookDelivery = z.object(deliveryFields);
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** The same with the request and each response. */
export const webhookDeliveryDetail = z.object({
  ...deliveryFields,
  /** Header webhook-id. */
  messageId: z.string(),
  body: z.string(),
  tries: z.array(webhookAttempt),
});
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;

const webhookPath = z.object({ webhook: z.string() });
const deliveryPath = webhookPath.extend({ delivery: z.string() });
const withSecret = z.object({
  result: webhook,
  /** `whsec_…`. It is shown this once. */
  secret: z.string(),
});

const fields = {
  name: typedName(80).min(1),
  url: line(LONGEST_WEBHOOK_URL).min(1),
  format: z.enum(webhookFormats).optional(),
  /** Of the receiver, for formats that have one: an integration key, an API key, an access token. Left out = unchanged, if format and origin of the address are. It is never shown. */
  key: line(200).optional(),
  /** None: it gets only the alerts of rules that name it (ALR-05). */
  events: z.array(subscribable).max(webhookEventTypes.length),
  /** Null or left out = every group. */
  groups: z.array(groupKey.min(1)).min(1).max(MOST_WEBHOOK_GROUPS).nullable().optional(),
  /** Null or left out = every device. */
  tags: z.array(typedName(MAX_TAG_LENGTH).min(1)).min(1).max(MOST_WEBHOOK_TAGS).nullable().optional(),
  enabled: z.boolean().optional(),
};

const PATH = '/data_manager/v1/dm/webhooks';

export const listWebhooks = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: PATH,
  summary: 'Webhooks of an organization, or of a main account and its organizations, the newest first (HKS-01).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend(paging.shape),
  response: pageOf(webhook),
});

export const showWebhook = operation({
  id: 'webhooks.show',
  method: 'GET',
  path: `${PATH}/{webhook}`,
  summary: 'A webhook (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  query: tenantQuery,
  response: z.object({ result: webhook }),
});

export const listWebhookEvents = operation({
  id: 'webhooks.events',
  method: 'GET',
  path: `${PATH}/events`,
  summary: 'Every event that a webhook can be sent for, with an example of its `data` (HKS-01).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery,
  response: z.object({
    result: z.array(z.object({ type: z.string(), summary: z.string(), example: z.record(z.string(), z.unknown()) })),
  }),
});

export const createWebhook = operation({
  id: 'webhooks.create',
  hasSecret: true,
  method: 'POST',
  path: PATH,
  summary:
    'Create a webhook. The answer shows its signing secret once (HKS-01). An API key also needs the calls that read the chosen events, for example devices.list.',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend(fields),
  bodyExample: { url: 'https://example.com/hooks' },
  response: withSecret,
});

export const saveWebhook = operation({
  id: 'webhooks.save',
  method: 'PUT',
  path: `${PATH}/{webhook}`,
  summary: 'Replace the fields of a webhook; its secret and its log stay. Accepts If-Match with its `version` (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  body: tenantBody.extend(fields),
  bodyExample: { url: 'https://example.com/hooks' },
  response: z.object({ result: webhook }),
});

export const deleteWebhook = operation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: `${PATH}/{webhook}`,
  summary: 'Delete a webhook with its log. Nothing more is sent (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  body: tenantBody,
  response: deletion,
});

export const rotateWebhookSecret = operation({
  id: 'webhooks.rotate',
  hasSecret: true,
  method: 'POST',
  path: `${PATH}/{webhook}/rotate`,
  summary: 'Replace the signing secret. For some hours calls have two signatures, one by each (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  body: tenantBody.extend({ overlapHours: z.int().min(0).max(LONGEST_SECRET_OVERLAP_HOURS).optional() }),
  response: withSecret,
});

export const suspendWebhook = operation({
  id: 'webhooks.suspend',
  method: 'POST',
  path: `${PATH}/{webhook}/suspend`,
  summary: 'Suspend a webhook: events are recorded and wait (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  body: tenantBody,
  response: z.object({ result: webhook }),
});

export const resumeWebhook = operation({
  id: 'webhooks.resume',
  method: 'POST',
  path: `${PATH}/{webhook}/resume`,
  summary: 'Resume a suspended webhook: what waits is sent at once (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  body: tenantBody,
  response: z.object({ result: webhook }),
});

export const testWebhook = operation({
  id: 'webhooks.test',
  method: 'POST',
  path: `${PATH}/{webhook}/test`,
  summary: 'Call a webhook once with `webhook.test`, also a suspended one, and answer with the outcome (HKS-01).',
  scope: 'tenant',
  roles: managers,
  queue: 'tests',
  params: webhookPath,
  body: tenantBody,
  response: z.object({ result: webhookDeliveryDetail }),
});

export const listDeliveries = operation({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: `${PATH}/{webhook}/deliveries`,
  summary: 'The log of a webhook, the newest event first (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: webhookPath,
  query: tenantQuery.extend({
    ...paging.shape,
    state: z.enum(deliveryStates).optional(),
  }),
  response: pageOf(webhookDelivery),
});

export const showDelivery = operation({
  id: 'webhooks.delivery',
  method: 'GET',
  path: `${PATH}/{webhook}/deliveries/{delivery}`,
  summary: 'An event of the log with its body and every answer (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: deliveryPath,
  query: tenantQuery,
  response: z.object({ result: webhookDeliveryDetail }),
});

export const resendDelivery = operation({
  id: 'webhooks.resend',
  method: 'POST',
  path: `${PATH}/{webhook}/deliveries/{delivery}/resend`,
  summary: 'Send an event again, with the same webhook-id (HKS-01).',
  scope: 'tenant',
  roles: managers,
  params: deliveryPath,
  body: tenantBody,
  response: z.object({ result: webhookDelivery }),
});

export const topics = ['webhooks'] as const;

export const schemaNames = {
  CreatedWebhook: createWebhook.response,
  Webhook: webhook,
  WebhookAttempt: webhookAttempt,
  WebhookBody: createWebhook.body,
  WebhookDelivery: webhookDelivery,
  WebhookDeliveryDetail: webhookDeliveryDetail,
};
