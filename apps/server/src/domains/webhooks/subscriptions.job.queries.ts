// Reads tables of other domains: devices.
import { sql } from 'kysely';
import { utcDay } from '../../kernel/index.ts';
import type { Database } from '../../platform/ports/database.ts';

/** Days before its end on which a subscription is announced. */
const DAYS_BEFORE = [30, 7, 0];

/**
 * Record `subscription.ending` for devices whose subscription ends in so many days of UTC: once for each endpoint and day, however often
 * it runs.
 */
export async function recordEndingSubscriptions(database: Database, now: Date): Promise<void> {
  await database.write((tx) =>
    sql`insert into webhook_deliveries (endpoint_id, organization_id, device_id, type, key, happened_at, data, next_at)
      select e.id, d.organization_id, d.id, 'subscription.ending', concat_ws(' ', 'ending', d.id, d.expires_on, n.days), ${now}::timestamptz,
        jsonb_build_object('organization', d.organization_id, 'device', webhook_device(d), 'starts', d.started_on, 'ends', d.expires_on),
        ${now}::timestamptz
      from webhook_endpoints e
      cross join unnest(${DAYS_BEFORE}::integer[]) as n (days)
      join devices d on d.main_account_id = e.main_account_id and d.archived_at is null and d.expires_on = ${utcDay(now)}::date + n.days
        and (e.organization_id is null or d.organization_id = e.organization_id)
        and (e.group_keys is null or d.group_key = any(e.group_keys)) and (e.tags is null or d.tags && e.tags)
      where e.is_enabled and 'subscription.ending' = any(e.event_types)
      order by d.expires_on, d.id
      on conflict (endpoint_id, key) where key is not null do nothing`.execute(tx),
  );
}
