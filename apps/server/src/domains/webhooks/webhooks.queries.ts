import { webhooks } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type Scope } from '../../kernel/index.ts';
import { defineList, type Reader } from '../../platform/listing/index.ts';
import { defineResource, isWithin } from '../../platform/resources/resource.ts';
import { recordAudit } from '../logs/index.ts';
import { toDeliveryDto, type DeliveryDetailRow, type DeliveryRow } from './delivery.dto.ts';

interface LastDelivery {
  readonly previous_until: Date | null;
  readonly last_state: webhooks.DeliveryState | null;
  readonly last_at: Date | null;
}

/** Webhooks: the endpoints of an organization, or of a main account and its organizations (HKS-01). */
export const endpoints = defineResource({
  table: 'webhook_endpoints',
  name: 'webhooks',
  topic: 'webhooks',
  subject: 'webhook',
  record: recordAudit,
  response: webhooks.webhook,
  input: webhooks.saveWebhook.body,
  missing: 'webhook.not_found',
  // The others are browsers of people.
  only: sql`e.account_id is null`,
  limit: { most: webhooks.MOST_WEBHOOKS, error: 'webhook.too_many' },
  columns: { events: 'event_types', groups: 'group_keys', enabled: 'is_enabled', created: 'created_at', by: 'created_by_email' },
  joined: sql`e.previous_until, l.state as last_state, l.happened_at as last_at`,
  joins: sql`left join lateral (select d.state, d.happened_at from webhook_deliveries d where d.endpoint_id = e.id
    order by d.position desc limit 1) l on true`,
  read: (reader, statement) => reader.rows<LastDelivery>(statement, true),
  computed: {
    state({ enabled, suspendedAt, failingSince }) {
      if (!enabled) return 'off';
      if (suspendedAt !== null) return 'suspended';
      return failingSince === null ? 'active' : 'failing';
    },
    previousUntil: ({ previous_until: until }, now) => (until !== null && until > now ? until.toISOString() : null),
    lastDelivery: ({ last_state: state, last_at: at }) =>
      state === null || at === null ? null : { state, at: at.toISOString() },
  },
});

/** What a person sets of a webhook. */
export type WebhookFields = ReturnType<typeof endpoints.fieldsOf>;
export type LockedWebhook = Awaited<ReturnType<typeof endpoints.lock>>;

const deliveries = sql`webhook_deliveries d`;
const deliveryColumns = sql`d.id, d.type, d.happened_at, d.state, d.attempts, d.next_at, d.tries -> -1 as last_try,
  coalesce(nullif(d.data #>> '{device,vehicle}', ''), d.data #>> '{device,serial}') as device`;

/**
 * The log of a webhook, the newest event first. The caller found the webhook within the scope.
 * @param types the events that the caller may read; undefined = all
 */
export const deliveryList = (endpointId: string, types: readonly webhooks.WebhookEventType[] | undefined) =>
  defineList({
    of: (_: Scope, { state }: z.output<typeof webhooks.listDeliveries.query>) => ({
      name: 'webhook-deliveries',
      dependsOn: endpointId,
      table: deliveries,
      alias: 'd',
      identity: ['id'],
      ownKey: 'position',
      scope: sql`d.endpoint_id = ${endpointId}::uuid`,
      filters: [
        ...(state === undefined ? [] : [sql`d.state = ${state}`]),
        ...(types === undefined ? [] : [sql`d.type = any(${types}::text[])`]),
      ],
      estimatable: true,
      columns: deliveryColumns,
      segments: [{ from: deliveries, keys: [{ column: sql`d.position`, kind: 'number' as const }], descending: true }],
    }),
    toDto: (row: DeliveryRow) => toDeliveryDto(row),
  });

/** An event of a webhook of the scope; undefined also for an invalid id. */
export async function findDelivery(
  reader: Reader,
  scope: Scope,
  endpointId: string,
  id: string,
): Promise<DeliveryDetailRow | undefined> {
  if (!isId(endpointId) || !isId(id)) return undefined;
  const [row] = await reader.rows<DeliveryDetailRow>(
    sql`select ${deliveryColumns}, d.data, d.tries, e.format, e.url from ${deliveries} join webhook_endpoints e on e.id = d.endpoint_id
      where d.id = ${id}::uuid and e.id = ${endpointId}::uuid and ${isWithin(scope)}`,
    true,
  );
  return row;
}
