import { groups, webhooks } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../api/client.ts';
import { nullIfMissing } from '../../api/errors.ts';
import { type Page, pageOf, pagesOf } from '../../api/useList.ts';

export type Webhook = webhooks.Webhook;
export type WebhookDelivery = webhooks.WebhookDelivery;

type WebhookFields = Required<Omit<CallInput<typeof webhooks.saveWebhook>['body'], 'org' | 'realm'>>;

/** The fields of a webhook in its form. Without groups it is for every group, and without tags for every device. */
export type WebhookDraft = { readonly [Field in keyof WebhookFields]: NonNullable<WebhookFields[Field]> };

/** A webhook and its secret, which is known only now. */
export interface MintedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

const whose = (org: string | null | undefined) => (org === undefined || org === null ? {} : { org });
const MOST_GROUPS = 200;

/** One page of the webhooks, the newest first. */
export const fetchWebhooks = pagesOf(webhooks.listWebhooks);

/** All webhooks of the organization: there are at most 20. */
export const webhookChoices = queryOptions({
  queryKey: ['webhooks', 'choices'],
  queryFn: async ({ signal }) => (await fetchWebhooks({ limit: webhooks.MOST_WEBHOOKS }, signal)).rows,
  meta: { topics: ['webhooks'] },
});

/** One page of the log of a webhook. */
export async function fetchDeliveries(
  webhook: string,
  query: { readonly limit: number; readonly offset?: number; readonly state?: webhooks.DeliveryState | undefined },
  signal: AbortSignal,
): Promise<Page<WebhookDelivery>> {
  return pageOf(await call(webhooks.listDeliveries, { params: { webhook }, query, signal }));
}

/** A webhook by its id; null = it does not exist. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) =>
      nullIfMissing(async () => (await call(webhooks.showWebhook, { params: { webhook: id }, query: {}, signal })).result),
    meta: { topics: ['webhooks'] },
  });

/** An event with its body and every response. */
export const deliveryQuery = (webhook: string, delivery: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', webhook, delivery],
    queryFn: async ({ signal }) =>
      (await call(webhooks.showDelivery, { params: { webhook, delivery }, query: {}, signal })).result,
    meta: { topics: ['webhooks'] },
  });

/** The groups of an organization, to choose from. */
export const groupOptionsQuery = (org: string | undefined) =>
  queryOptions({
    queryKey: ['groups', 'of-webhook', org],
    queryFn: async ({ signal }) => {
      const { result } = await call(groups.listGroups, {
        query: { limit: MOST_GROUPS, offset: 0, sort: 'name', ...whose(org) },
        signal,
      });
      return result.map((group) => ({ value: group.group, label: group.group_name }));
    },
    meta: { topics: ['groups'] },
  });

const orNull = (values: string[]) => (values.length === 0 ? null : values);

/** An empty key stays as it is. */
function bodyOf({ key, ...draft }: WebhookDraft): Omit<WebhookFields, 'key'> & Partial<Pick<WebhookFields, 'key'>> {
  const typed = key.trim();
  return { ...draft, ...(typed !== '' && { key: typed }), groups: orNull(draft.groups), tags: orNull(draft.tags) };
}

/** @throws ApiError `webhook.url_invalid`, `webhook.too_many` */
export async function createWebhook(draft: WebhookDraft, org: string | undefined): Promise<MintedWebhook> {
  const { result: webhook, secret } = await call(webhooks.createWebhook, { body: { ...whose(org), ...bodyOf(draft) } });
  return { webhook, secret };
}

/** @param version that the draft is based on @throws ApiError `webhook.url_invalid`, `conflict.stale` */
export async function saveWebhook(webhook: Pick<Webhook, 'id' | 'org'>, version: string, draft: WebhookDraft): Promise<Webhook> {
  const body = { ...whose(webhook.org), ...bodyOf(draft) };
  const input = { params: { webhook: webhook.id }, body, ifMatch: `"${version}"` };
  return (await call(webhooks.saveWebhook, input)).result;
}

const one = ({ id, org }: Pick<Webhook, 'id' | 'org'>) => ({ params: { webhook: id }, body: whose(org) });

/** Replace the secret; the former one signs too for a day. */
export async function rotateSecret(webhook: Webhook): Promise<MintedWebhook> {
  const { result, secret } = await call(webhooks.rotateWebhookSecret, one(webhook));
  return { webhook: result, secret };
}
export const suspendWebhook = (webhook: Webhook) => call(webhooks.suspendWebhook, one(webhook));
export const resumeWebhook = (webhook: Webhook) => call(webhooks.resumeWebhook, one(webhook));
export const deleteWebhook = (webhook: Webhook) => call(webhooks.deleteWebhook, one(webhook));
/** Call it once now. @returns the outcome */
export const testWebhook = async (webhook: Webhook) => (await call(webhooks.testWebhook, one(webhook))).result;
export const resendDelivery = (webhook: Webhook, delivery: string) =>
  call(webhooks.resendDelivery, { params: { webhook: webhook.id, delivery }, body: whose(webhook.org) });
