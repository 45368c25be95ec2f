// Reads tables of other domains: devices.
import type { webhooks } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/index.ts';

/** An event on its way to webhooks. */
export interface WebhookEvent<Type extends webhooks.WebhookEventType = webhooks.WebhookEventType> {
  readonly type: Type;
  /** As the contract describes it; a device of it is added here. */
  readonly data: Omit<webhooks.WebhookData<Type>, 'organization' | 'device'>;
  /** Of the scope's organization. */
  readonly deviceId?: string;
  /** Events with the same are sent in their order; left out: those of the device. */
  readonly orderId?: string;
  /** An event with a key is recorded once for an endpoint. */
  readonly key?: string;
  /** The key of an event that began this: an endpoint that got it gets this too, whatever group and tags the device has now. */
  readonly follows?: string;
  readonly happenedAt: Date;
}

/**
 * Record events for the webhooks that are subscribed to them, and for those named, in the transaction in which the events happen. Named
 * webhooks get them whatever types, groups and tags they are subscribed to; those of other owners are left out. What is off gets nothing.
 * @param scope the organization of the events; the main account: events of none
 * @param named ids of webhooks of the organization or of its main account (ALR-05)
 * @param which only the named ones, or the subscribed ones as well
 */
export async function deliverEvents(
  tx: Tx,
  scope: Scope,
  events: readonly WebhookEvent[],
  named: readonly string[] = [],
  which: 'named' | 'all' = 'all',
): Promise<void> {
  if (events.length === 0) return;
  const organization = scope.kind === 'organization' ? scope.organizationId : null;
  const rows = events.map(({ type, data, deviceId, orderId, key, follows, happenedAt }, number) => ({
    number,
    type,
    data: { organization, ...data },
    device_id: deviceId ?? null,
    order_id: orderId ?? deviceId ?? null,
    key: key ?? null,
    follows: follows ?? null,
    happened_at: happenedAt.toISOString(),
  }));
  await sql`
    insert into webhook_deliveries (endpoint_id, organization_id, device_id, type, key, happened_at, data, next_at)
    select e.id, ${organization}::uuid, v.order_id, v.type, v.key, v.happened_at,
      v.data || jsonb_build_object('device', case when d.id is not null then webhook_device(d) else b.data -> 'device' end), now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as v (number integer, type text, data jsonb, device_id uuid, order_id uuid, key text, follows text, happened_at timestamptz)
    left join devices d on d.organization_id = ${organization}::uuid and d.id = v.device_id
    join webhook_endpoints e on e.main_account_id = ${scope.mainAccountId}::uuid and e.is_enabled
      and (e.organization_id is null or e.organization_id = ${organization}::uuid)
    left join webhook_deliveries b on b.endpoint_id = e.id and b.key = v.follows
    where e.id = any(${[...named]}::uuid[]) or ${which === 'all'} and v.type = any(e.event_types) and (b.id is not null
      or (e.group_keys is null or d.group_key = any(e.group_keys)) and (e.tags is null or d.tags && e.tags))
    order by v.number
    on conflict (endpoint_id, key) where key is not null do nothing`.execute(tx);
}
