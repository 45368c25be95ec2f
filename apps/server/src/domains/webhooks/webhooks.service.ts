import { randomUUID } from 'node:crypto';
import { eventRights, isKeyedFormat, keepsKey, needsKey, webhooks } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, hasRight, newId, requireRight, type Actor, type Scope, type Sealing } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { sentence } from '../logs/index.ts';
import { callOnce } from './call.ts';
import { ntfyTopicOf } from './incident-formats.ts';
import { mintSecret } from './secret.ts';
import type { ServerPushKey } from './web-push.ts';
import { endpoints, type LockedWebhook, type WebhookFields } from './webhooks.queries.ts';
import { findWaitingTypes, insertTest, makeDue, sendAgain } from './webhooks.store.ts';

export interface WebhookDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly caller: WebCaller;
  readonly webhookSealing: Sealing;
  readonly pushKey: ServerPushKey;
  /** Something may be due for sending. */
  readonly wakeWebhooks: () => void;
}

/** The body of a call that creates or saves a webhook. */
export type WebhookInput = z.output<typeof webhooks.saveWebhook.body>;

const HOUR_MS = 3_600_000;
const USUAL_OVERLAP_HOURS = 24;
const NO_TOPIC = 'The address of ntfy must end with a topic, as in https://ntfy.sh/alerts.';

/** Every event that a webhook can be sent for. */
export function listEvents() {
  return Object.entries(webhooks.webhookEvents).map(([type, { summary, example }]) => ({
    type,
    summary,
    example: example as Record<string, unknown>,
  }));
}

/**
 * Create a webhook (HKS-01).
 * @returns its id, and its signing secret; empty for a format with a key of the receiver
 * @throws DomainError `webhook.url_invalid`, `webhook.key_missing`, `webhook.only_alerts`, `webhook.groups_of_main`, `webhook.too_many`,
 * `key.not_allowed`
 */
export async function createWebhook(
  deps: Omit<WebhookDeps, 'pushKey'>,
  scope: Scope,
  actor: Actor,
  input: WebhookInput,
): Promise<{ readonly id: string; readonly secret: string }> {
  rejectUnreadable(actor, input.events);
  const fields = fieldsOf(deps.caller, scope, input);
  const isKeyed = isKeyedFormat(fields.format);
  const id = newId(deps.clock.now().getTime());
  const secret = isKeyed ? '' : mintSecret();
  const sealed = deps.webhookSealing.seal(id, Buffer.from(isKeyed ? keyOf(fields.format, input) : secret));
  const values = { ...endpoints.columnsOf(fields), id, sealed_secret: sealed, created_by_email: actor.email };
  const entry = { action: sentence('webhook.created', fields.name), detail: detailOf(fields) };
  await endpoints.create(deps, scope, actor, values, entry);
  return { id, secret };
}

/**
 * Replace the fields of a webhook.
 * @param isCurrent whether the version that the caller saw is this one
 * @throws DomainError `webhook.not_found`, `webhook.url_invalid`, `webhook.key_missing`, `webhook.groups_of_main`, `conflict.stale`,
 * `key.not_allowed`
 */
export async function saveWebhook(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  input: WebhookInput,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  await endpoints.change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (!isCurrent(endpoint.version)) throw new DomainError('conflict.stale');
    const [before, after] = [endpoints.fieldsOf(endpoint), fieldsOf(deps.caller, scopeOfOwner(endpoint), input)];
    rejectUnreadable(actor, input.events);
    // What waits for it, and alerts of rules that name it, go to the new address.
    if (after.url !== before.url) {
      rejectUnreadable(actor, [...before.events, 'alert.fired']);
      for (const type of await findWaitingTypes(tx, scopeOfOwner(endpoint), endpoint.id)) rejectUnreadableType(actor, type);
    }
    await endpoints.update(
      tx,
      endpoint,
      { ...endpoints.columnsOf(after), ...secretOf(deps, endpoint.id, { before, after }, input) },
      now,
    );
    return { action: sentence('webhook.changed', after.name), detail: { before: detailOf(before), after: detailOf(after) } };
  });
}

/** The key in an input. @throws DomainError `webhook.key_missing` */
function keyOf(format: webhooks.WebhookFormat, { key = '' }: WebhookInput): string {
  if (key === '' && needsKey(format)) throw new DomainError('webhook.key_missing', { field: 'key' });
  return key;
}

/** The columns of another key, or of another signing secret where a format without a key follows one with it. */
function secretOf(
  { webhookSealing: sealing }: Pick<WebhookDeps, 'webhookSealing'>,
  id: string,
  { before, after }: { readonly before: WebhookFields; readonly after: WebhookFields },
  input: WebhookInput,
): Partial<Pick<LockedWebhook, 'sealed_secret' | 'previous_secret' | 'previous_until'>> {
  const none = { previous_secret: null, previous_until: null };
  if (!isKeyedFormat(after.format))
    return isKeyedFormat(before.format) ? { sealed_secret: sealing.seal(id, Buffer.from(mintSecret())), ...none } : {};
  if (input.key === undefined && keepsKey(before, after)) return {};
  return { sealed_secret: sealing.seal(id, Buffer.from(keyOf(after.format, input))), ...none };
}

/** Delete a webhook with its log, which a job deletes. @throws DomainError `webhook.not_found` */
export async function deleteWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await endpoints.change(deps, scope, actor, id, async (tx, endpoint) => {
    await endpoints.remove(tx, endpoint);
    return { action: sentence('webhook.deleted', endpoint.name), detail: detailOf(endpoints.fieldsOf(endpoint)) };
  });
}

/**
 * Replace the signing secret; the former one signs too for some hours.
 * @throws DomainError `webhook.not_found`, `webhook.has_no_secret`, and for events that the caller may not read
 */
export async function rotateSecret(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  overlapHours = USUAL_OVERLAP_HOURS,
): Promise<string> {
  const secret = mintSecret();
  await endpoints.change(deps, scope, actor, id, async (tx, endpoint, now) => {
    rejectUnreadable(actor, endpoints.fieldsOf(endpoint).events);
    if (isKeyedFormat(endpoint.format as webhooks.WebhookFormat)) throw new DomainError('webhook.has_no_secret');
    const until = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS);
    const previous = { previous_secret: until === null ? null : endpoint.sealed_secret, previous_until: until };
    const sealed = deps.webhookSealing.seal(endpoint.id, Buffer.from(secret));
    await endpoints.update(tx, endpoint, { sealed_secret: sealed, ...previous }, now);
    return {
      action: sentence('webhook.secret_rotated', endpoint.name),
      detail: { name: endpoint.name, previousUntil: until?.toISOString() ?? null },
    };
  });
  return secret;
}

/** Suspend a webhook: its events wait. @throws DomainError `webhook.not_found`, `webhook.suspended` */
export async function suspendWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await endpoints.change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (endpoint.suspended_at !== null) throw new DomainError('webhook.suspended');
    await endpoints.update(tx, endpoint, { suspended_at: now, suspended_by: actor.email });
    return { action: sentence('webhook.suspended', endpoint.name), detail: { name: endpoint.name } };
  });
}

/** Resume a suspended webhook: what waits is due. @throws DomainError `webhook.not_found`, `webhook.not_suspended` */
export async function resumeWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await endpoints.change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (endpoint.suspended_at === null) throw new DomainError('webhook.not_suspended');
    await endpoints.update(tx, endpoint, { suspended_at: null, suspended_by: null, failing_since: null });
    await makeDue(tx, scope, endpoint.id, now);
    return { action: sentence('webhook.resumed', endpoint.name), detail: { name: endpoint.name } };
  });
  deps.wakeWebhooks();
}

/**
 * An event is due again.
 * @throws DomainError `webhook.not_found`, `webhook.delivery_not_found`, `webhook.delivery_waiting`, and for an event that the caller may not read
 */
export async function resendDelivery(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  delivery: { readonly id: string; readonly type: webhooks.WebhookEventType },
): Promise<void> {
  rejectUnreadableType(actor, delivery.type);
  await endpoints.change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (!(await sendAgain(tx, scope, endpoint.id, delivery.id, now))) throw new DomainError('webhook.delivery_waiting');
    return {
      action: sentence('webhook.sent_again', endpoint.name),
      detail: { name: endpoint.name, delivery: delivery.id, type: delivery.type },
    };
  });
  deps.wakeWebhooks();
}

/**
 * Call a webhook once with `webhook.test`, whatever its state, and record the outcome.
 * @returns the id of the event in its log
 * @throws DomainError `webhook.not_found`, and for events that the caller may not read
 */
export async function testWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<string> {
  const { database, caller, webhookSealing: sealing, pushKey, clock } = deps;
  const endpoint = await database.write((tx) => endpoints.lock(tx, scope, id));
  rejectUnreadable(actor, endpoints.fieldsOf(endpoint).events);
  const [deliveryId, happenedAt] = [randomUUID(), clock.now()];
  const data = { organization: endpoint.organization_id, message: `Test of the webhook ${endpoint.name}.` };
  const called = { ...endpoint, owner_id: endpoint.organization_id ?? endpoint.main_account_id };
  const attempt = await callOnce({ caller, sealing, pushKey, clock }, called, deliveryId, {
    type: 'webhook.test',
    happenedAt,
    data,
  });
  await endpoints.change(deps, scope, actor, id, async (tx, current) => {
    await insertTest(tx, scope, { id: deliveryId, endpointId: current.id, data, attempt }, happenedAt);
    return {
      action: sentence('webhook.tested', current.name),
      detail: { name: current.name, status: attempt.status, error: attempt.error },
    };
  });
  return deliveryId;
}

/** Who chooses where events go must be allowed to read them. @throws DomainError `key.not_allowed` */
function rejectUnreadable(actor: Actor, events: readonly webhooks.SubscribedEvent[]): void {
  for (const event of events) requireRight(actor, eventRights[event]);
}

/** The right that an event of a log needs: the log, and what waits, stay when the webhook is for other events from now on. */
const rightOfType = (type: Exclude<webhooks.WebhookEventType, 'webhook.test'>) =>
  eventRights[type === 'alert.action' ? 'alert.fired' : type];

/** @throws DomainError for an event of a log that the caller may not read: `key.not_allowed`, and as `requireRole` */
export function rejectUnreadableType(actor: Actor, type: webhooks.WebhookEventType): void {
  if (type !== 'webhook.test') requireRight(actor, rightOfType(type));
}

/** The events of a log that a caller may read; undefined = all of them. */
export function readableTypes(actor: Actor): readonly webhooks.WebhookEventType[] | undefined {
  const all = Object.keys(webhooks.webhookEvents) as webhooks.WebhookEventType[];
  const readable = all.filter((type) => type === 'webhook.test' || hasRight(actor, rightOfType(type)));
  return readable.length === all.length ? undefined : readable;
}

/** @throws DomainError `webhook.url_invalid`, `webhook.groups_of_main` */
function fieldsOf(caller: WebCaller, scope: Scope, input: WebhookInput): WebhookFields {
  const { groups = null, tags = null, format = 'standard', enabled = true } = input;
  const fault = caller.faultOf(input.url) ?? (format === 'ntfy' && ntfyTopicOf(input.url) === undefined ? NO_TOPIC : undefined);
  if (fault !== undefined) throw new DomainError('webhook.url_invalid', { field: 'url', message: fault });
  if (needsKey(format) && input.events.some((event) => !event.startsWith('alert.')))
    throw new DomainError('webhook.only_alerts', { field: 'events' });
  if (scope.kind === 'main' && groups !== null) throw new DomainError('webhook.groups_of_main', { field: 'groups' });
  const sorted = <Value extends string>(values: readonly Value[]) => [...new Set(values)].toSorted();
  return {
    ...endpoints.inputOf(input),
    url: new URL(input.url).href,
    format,
    events: sorted(input.events),
    groups: groups && sorted(groups),
    tags: tags && sorted(tags),
    enabled,
  };
}

/** Without the path of its address, which can be a secret. */
function detailOf({ url, ...fields }: WebhookFields): Readonly<Record<string, unknown>> {
  return { ...fields, host: new URL(url).host };
}
