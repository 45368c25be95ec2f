import { randomUUID } from 'node:crypto';
import { eventRights, webhooks } from '@highline/contract';
import { DomainError, newId, required, requireRight, type Actor, type Scope, type Sealing } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { callOnce } from './call.ts';
import { bodyOf } from './formats.ts';
import { scopeOf } from './outcomes.ts';
import { mintSecret } from './secret.ts';
import {
  countOwnWebhooks,
  insertTest,
  insertWebhook,
  lockWebhook,
  markResumed,
  markSuspended,
  removeWebhook,
  sendAgain,
  updateWebhook,
  type EndpointFields,
  type LockedEndpoint,
} from './webhooks.store.ts';

export interface WebhookDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly caller: WebCaller;
  readonly webhookSealing: Sealing;
  /** Something may be due for sending. */
  readonly wakeWebhooks: () => void;
}

/** A webhook as a person sets it. */
export interface WebhookInput {
  readonly name: string;
  readonly url: string;
  readonly format?: webhooks.WebhookFormat | undefined;
  readonly events: readonly webhooks.SubscribedEvent[];
  readonly groups?: readonly string[] | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly enabled?: boolean | undefined;
}

const HOUR_MS = 3_600_000;
const USUAL_OVERLAP_HOURS = 24;

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
 * @throws DomainError `webhook.url_invalid`, `webhook.groups_of_main`, `webhook.too_many`, `key.not_allowed`
 */
export async function createWebhook(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  input: WebhookInput,
): Promise<{ readonly id: string; readonly secret: string }> {
  const now = deps.clock.now();
  rejectUnreadable(actor, input.events);
  const fields = fieldsOf(deps.caller, scope, input);
  const [id, secret] = [newId(now.getTime()), mintSecret()];
  await deps.database.write(async (tx) => {
    if ((await countOwnWebhooks(tx, scope)) >= webhooks.MOST_WEBHOOKS) throw new DomainError('webhook.too_many');
    const sealed = deps.webhookSealing.seal(id, Buffer.from(secret));
    await insertWebhook(tx, scope, { ...fields, id, sealed_secret: sealed, created_by_email: actor.email }, now);
    await record(tx, scope, actor, { id, action: sentence('webhook.created', fields.name), detail: detailOf(fields) }, now);
  });
  return { id, secret };
}

/**
 * Replace the fields of a webhook.
 * @param isCurrent whether the version that the caller saw is this one
 * @throws DomainError `webhook.not_found`, `webhook.url_invalid`, `webhook.groups_of_main`, `conflict.stale`, `key.not_allowed`
 */
export async function saveWebhook(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  input: WebhookInput,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  await change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (!isCurrent(endpoint.version)) throw new DomainError('conflict.stale');
    const fields = fieldsOf(deps.caller, scopeOf(endpoint), input);
    rejectUnreadable(actor, input.events);
    // What waits for it, and alerts of rules that name it, go to the new address.
    if (fields.url !== endpoint.url)
      rejectUnreadable(actor, [...(endpoint.event_types as webhooks.SubscribedEvent[]), 'alert.fired']);
    await updateWebhook(tx, scope, endpoint, fields, now);
    return { action: sentence('webhook.changed', fields.name), detail: { before: detailOf(endpoint), after: detailOf(fields) } };
  });
}

/** Delete a webhook with its log. @throws DomainError `webhook.not_found` */
export async function deleteWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await change(deps, scope, actor, id, async (tx, endpoint) => {
    await removeWebhook(tx, scope, endpoint.id);
    return { action: sentence('webhook.deleted', endpoint.name), detail: detailOf(endpoint) };
  });
}

/** Replace the signing secret; the former one signs too for some hours. @throws DomainError `webhook.not_found` */
export async function rotateSecret(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  overlapHours = USUAL_OVERLAP_HOURS,
): Promise<string> {
  const secret = mintSecret();
  await change(deps, scope, actor, id, async (tx, endpoint, now) => {
    const until = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS);
    const previous = { previous_secret: until === null ? null : endpoint.sealed_secret, previous_until: until };
    const sealed = deps.webhookSealing.seal(endpoint.id, Buffer.from(secret));
    await updateWebhook(tx, scope, endpoint, { sealed_secret: sealed, ...previous }, now);
    return {
      action: sentence('webhook.secret_rotated', endpoint.name),
      detail: { name: endpoint.name, previousUntil: until?.toISOString() ?? null },
    };
  });
  return secret;
}

/** Suspend a webhook: its events wait. @throws DomainError `webhook.not_found`, `webhook.suspended` */
export async function suspendWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (endpoint.suspended_at !== null) throw new DomainError('webhook.suspended');
    await markSuspended(tx, scope, endpoint.id, actor.email, now);
    return { action: sentence('webhook.suspended', endpoint.name), detail: { name: endpoint.name } };
  });
}

/** Resume a suspended webhook: what waits is due. @throws DomainError `webhook.not_found`, `webhook.not_suspended` */
export async function resumeWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await change(deps, scope, actor, id, async (tx, endpoint, now) => {
    if (endpoint.suspended_at === null) throw new DomainError('webhook.not_suspended');
    await markResumed(tx, scope, endpoint.id, now);
    return { action: sentence('webhook.resumed', endpoint.name), detail: { name: endpoint.name } };
  });
  deps.wakeWebhooks();
}

/** An event is due again. @throws DomainError `webhook.not_found`, `webhook.delivery_not_found`, `webhook.delivery_waiting` */
export async function resendDelivery(
  deps: WebhookDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  delivery: { readonly id: string; readonly type: string },
): Promise<void> {
  await change(deps, scope, actor, id, async (tx, endpoint, now) => {
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
 * @throws DomainError `webhook.not_found`
 */
export async function testWebhook(deps: WebhookDeps, scope: Scope, actor: Actor, id: string): Promise<string> {
  const { database, caller, webhookSealing: sealing, clock } = deps;
  const endpoint = required(await database.write((tx) => lockWebhook(tx, scope, id)), 'webhook.not_found');
  const [deliveryId, happenedAt] = [randomUUID(), clock.now()];
  const data = { organization: endpoint.organization_id, message: `Test of the webhook ${endpoint.name}.` };
  const body = bodyOf(endpoint.format, { type: 'webhook.test', happenedAt, data });
  const called = { ...endpoint, owner_id: endpoint.organization_id ?? endpoint.main_account_id };
  const attempt = await callOnce({ caller, sealing, clock }, called, deliveryId, body);
  await change(deps, scope, actor, id, async (tx, current) => {
    await insertTest(tx, scope, { id: deliveryId, endpoint: current, data, attempt }, happenedAt);
    return {
      action: sentence('webhook.tested', current.name),
      detail: { name: current.name, status: attempt.status, error: attempt.error },
    };
  });
  return deliveryId;
}

interface Change {
  readonly action: AuditAction;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Change a webhook of the scope, with its log entry and the event for consoles. */
async function change(
  { database, clock }: Pick<WebhookDeps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  id: string,
  work: (tx: Tx, endpoint: LockedEndpoint, now: Date) => Promise<Change>,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const endpoint = required(await lockWebhook(tx, scope, id), 'webhook.not_found');
    const changed = await work(tx, endpoint, now);
    await record(tx, scopeOf(endpoint), actor, { id: endpoint.id, ...changed }, now);
  });
}

/** Who chooses where events go must be allowed to read them. @throws DomainError `key.not_allowed` */
function rejectUnreadable(actor: Actor, events: readonly webhooks.SubscribedEvent[]): void {
  for (const event of events) requireRight(actor, eventRights[event]);
}

/** @throws DomainError `webhook.url_invalid`, `webhook.groups_of_main` */
function fieldsOf(caller: WebCaller, scope: Scope, input: WebhookInput): EndpointFields {
  const fault = caller.faultOf(input.url);
  if (fault !== undefined) throw new DomainError('webhook.url_invalid', { field: 'url', message: fault });
  const { groups = null, tags = null, format = 'standard', enabled = true } = input;
  if (scope.kind === 'main' && groups !== null) throw new DomainError('webhook.groups_of_main', { field: 'groups' });
  return {
    name: input.name,
    url: new URL(input.url).href,
    format,
    event_types: [...new Set(input.events)].toSorted(),
    group_keys: groups === null ? null : [...new Set(groups)].toSorted(),
    tags: tags === null ? null : [...new Set(tags)].toSorted(),
    is_enabled: enabled,
  };
}

/** Without the path of its address, which can be a secret. */
function detailOf(fields: EndpointFields): Readonly<Record<string, unknown>> {
  const { name, url, format, event_types: events, group_keys: groups, tags, is_enabled: enabled } = fields;
  return { name, host: new URL(url).host, format, events, groups, tags, enabled };
}

async function record(
  tx: Tx,
  scope: Scope,
  actor: Actor,
  { id, action, detail }: Change & { readonly id: string },
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'webhooks', [id]);
  const chain = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  await recordAudit(tx, chain, actor, { action, subject: { kind: 'webhook', id }, detail }, now);
}
