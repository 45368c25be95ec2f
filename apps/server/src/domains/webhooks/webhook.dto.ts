import type { webhooks } from '@highline/contract';
import { messageIdOf } from './call.ts';
import { bodyOf } from './formats.ts';
import type { Attempt } from './retry.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'webhook_deliveries.data': Record<string, unknown>;
    'webhook_deliveries.tries': Attempt[];
  }
}

/** A webhook as lists read it. */
export interface WebhookRow {
  readonly id: string;
  readonly organization_id: string | null;
  readonly org_name: string | null;
  readonly name: string;
  readonly url: string;
  readonly format: webhooks.WebhookFormat;
  readonly event_types: webhooks.SubscribedEvent[];
  readonly group_keys: string[] | null;
  readonly tags: string[] | null;
  readonly is_enabled: boolean;
  readonly failing_since: Date | null;
  readonly suspended_at: Date | null;
  readonly suspended_by: string | null;
  readonly created_at: Date;
  readonly created_by_email: string;
  readonly previous_until: Date | null;
  readonly version: number;
  readonly last_state: webhooks.DeliveryState | null;
  readonly last_at: Date | null;
}

/** A webhook as the API returns it. */
export const toWebhookDto =
  (now: Date) =>
  (row: WebhookRow): webhooks.Webhook => ({
    id: row.id,
    org: row.organization_id,
    orgName: row.org_name ?? '',
    name: row.name,
    url: row.url,
    format: row.format,
    events: row.event_types,
    groups: row.group_keys,
    tags: row.tags,
    enabled: row.is_enabled,
    state: stateOf(row),
    failingSince: row.failing_since?.toISOString() ?? null,
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspendedBy: row.suspended_by,
    created: row.created_at.toISOString(),
    by: row.created_by_email,
    previousUntil: row.previous_until !== null && row.previous_until > now ? row.previous_until.toISOString() : null,
    lastDelivery:
      row.last_state === null || row.last_at === null ? null : { state: row.last_state, at: row.last_at.toISOString() },
    version: String(row.version),
  });

function stateOf(row: WebhookRow): webhooks.Webhook['state'] {
  if (!row.is_enabled) return 'off';
  if (row.suspended_at !== null) return 'suspended';
  return row.failing_since === null ? 'active' : 'failing';
}

/** An event of a log as lists read it. */
export interface DeliveryRow {
  readonly id: string;
  readonly type: webhooks.WebhookEventType;
  readonly happened_at: Date;
  readonly state: webhooks.DeliveryState;
  readonly attempts: number;
  readonly next_at: Date | null;
  readonly device: string | null;
  readonly last_try: Attempt | null;
}

/** An event as its log returns it. */
export function toDeliveryDto(row: DeliveryRow): webhooks.WebhookDelivery {
  return {
    id: row.id,
    type: row.type,
    at: row.happened_at.toISOString(),
    state: row.state,
    attempts: row.attempts,
    status: row.last_try?.status ?? null,
    error: row.last_try?.error ?? '',
    next: row.next_at?.toISOString() ?? null,
    device: row.device,
  };
}

/** An event with its body and every answer. */
export interface DeliveryDetailRow extends DeliveryRow {
  readonly data: Record<string, unknown>;
  readonly tries: Attempt[];
  readonly format: webhooks.WebhookFormat;
}

/** The same as the API returns it. */
export function toDetailDto(row: DeliveryDetailRow): webhooks.WebhookDeliveryDetail {
  const { type, happened_at: happenedAt, data, format } = row;
  return {
    ...toDeliveryDto(row),
    messageId: messageIdOf(row.id),
    body: bodyOf(format, { type, happenedAt, data }),
    tries: row.tries,
  };
}
