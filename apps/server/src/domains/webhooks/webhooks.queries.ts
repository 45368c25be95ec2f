// Reads tables of other domains: organizations.
import type { webhooks } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type Scope } from '../../kernel/index.ts';
import { defineList, type Reader } from '../../platform/listing/index.ts';
import { toDeliveryDto, toWebhookDto, type DeliveryDetailRow, type DeliveryRow, type WebhookRow } from './webhook.dto.ts';
import { webhooksOf } from './webhooks.store.ts';

const table = sql`webhook_endpoints e`;
const joins = sql`left join organizations o on o.id = e.organization_id
  left join lateral (select d.state, d.happened_at from webhook_deliveries d where d.endpoint_id = e.id
    order by d.position desc limit 1) l on true`;
const columns = sql`e.id, e.organization_id, o.name as org_name, e.name, e.url, e.format, e.event_types, e.group_keys, e.tags, e.is_enabled,
  e.failing_since, e.suspended_at, e.suspended_by, e.created_at, e.created_by_email, e.previous_until, e.version, l.state as last_state,
  l.happened_at as last_at`;

/** Webhooks of a scope, the newest first. */
export const webhookList = (now: Date) =>
  defineList({
    of: (scope: Scope, _: z.output<typeof webhooks.listWebhooks.query>) => ({
      name: 'webhooks',
      table,
      alias: 'e',
      identity: ['id'],
      scope: webhooksOf(scope),
      filters: [],
      estimatable: true,
      columns,
      joins,
      segments: [{ from: table, keys: [{ column: sql`e.id`, kind: 'uuid' as const }], descending: true }],
    }),
    toDto: toWebhookDto(now),
  });

/** A webhook of the scope; undefined also for an invalid id. */
export async function findWebhook(reader: Reader, scope: Scope, id: string): Promise<WebhookRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<WebhookRow>(
    sql`select ${columns} from ${table} ${joins} where e.id = ${id}::uuid and ${webhooksOf(scope)}`,
    true,
  );
  return row;
}

const deliveries = sql`webhook_deliveries d`;
const deliveryColumns = sql`d.id, d.type, d.happened_at, d.state, d.attempts, d.next_at, d.tries -> -1 as last_try,
  coalesce(nullif(d.data #>> '{device,vehicle}', ''), d.data #>> '{device,serial}') as device`;

/** The log of a webhook, the newest event first. The caller found the webhook within the scope. */
export const deliveryList = (endpointId: string) =>
  defineList({
    of: (_: Scope, { state }: z.output<typeof webhooks.listDeliveries.query>) => ({
      name: 'webhook-deliveries',
      dependsOn: endpointId,
      table: deliveries,
      alias: 'd',
      identity: ['id'],
      ownKey: 'position',
      scope: sql`d.endpoint_id = ${endpointId}::uuid`,
      filters: state === undefined ? [] : [sql`d.state = ${state}`],
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
    sql`select ${deliveryColumns}, d.data, d.tries, e.format from ${deliveries} join webhook_endpoints e on e.id = d.endpoint_id
      where d.id = ${id}::uuid and e.id = ${endpointId}::uuid and ${webhooksOf(scope)}`,
    true,
  );
  return row;
}
