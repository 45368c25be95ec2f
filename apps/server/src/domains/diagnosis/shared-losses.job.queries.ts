// Reads tables of other domains: connectivity, device_counts, devices.
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';

/** So many vehicles of an organization and carrier at once, and this share of all of them, are no fault of each. */
const LEAST = 3;
const SHARE = 0.25;
/** Kept somewhat longer than the hours that a diagnosis looks at. */
const KEPT = '2 days';

/**
 * Search the minutes until a time for connections that an organization lost together, on one carrier. A vehicle that switched its SIM meanwhile
 * counts on the present one.
 */
export async function searchSharedLosses(tx: Tx, from: Date, until: Date): Promise<void> {
  await sql`insert into shared_losses (organization_id, minute, carrier, devices)
    select l.organization_id, l.minute, l.carrier, l.devices from (
      select d.organization_id, date_trunc('minute', c.at) as minute, coalesce(d.carrier, '') as carrier, count(distinct d.id)::int as devices
      from connectivity c join devices d on d.router_id = c.router_id and d.archived_at is null
      where c.at >= ${from}::timestamptz and c.at < ${until}::timestamptz and c.kind = 'offline'
      group by 1, 2, 3 having count(distinct d.id) >= ${LEAST}) l
    where l.devices >= ${SHARE}::float8 * (select coalesce(sum(n.devices), 0) from device_counts n
      where n.organization_id = l.organization_id and coalesce(n.carrier, '') = l.carrier and n.presence not in ('never', 'parked', 'planned'))
    on conflict (organization_id, minute, carrier) do update set devices = excluded.devices`.execute(tx);
  await sql`delete from shared_losses where minute < ${until}::timestamptz - ${KEPT}::interval`.execute(tx);
}
