import type { webhooks } from '@highline/contract';
import { messageIdOf } from './call.ts';
import { shownBody } from './web-call.ts';
import type { Attempt } from './retry.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'webhook_deliveries.data': Record<string, unknown>;
    'webhook_deliveries.tries': Attempt[];
  }
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

/** An event with its body and every response. */
export interface DeliveryDetailRow extends DeliveryRow {
  readonly data: Record<string, unknown>;
  readonly tries: Attempt[];
  readonly format: webhooks.WebhookFormat;
  readonly url: string;
}

/** The same as the API returns it. */
export function toDetailDto(row: DeliveryDetailRow): webhooks.WebhookDeliveryDetail {
  const { type, happened_at: happenedAt, data, format, url } = row;
  return {
    ...toDeliveryDto(row),
    messageId: messageIdOf(row.id),
    body: shownBody(format, url, { type, happenedAt, data }),
    tries: row.tries,
  };
}
