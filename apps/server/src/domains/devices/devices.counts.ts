import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';

/** New rows of an organization from which on they are merged: a sum over fewer costs nothing. */
const MOST_NEW = 100;
const ORGANIZATIONS = 500;

/**
 * A job: merge the differences that the triggers of `devices` added to `device_counts`. Each merge replaces rows by their sum in one
 * statement, so that readers see the same counts before, during and after it; of two at once, each sums what it deleted itself.
 */
export async function mergeDeviceCounts({ read, write }: Database, mostNew = MOST_NEW): Promise<void> {
  const { rows } = await sql<{ id: string }>`select organization_id as id from device_counts where is_new
    group by 1 having count(*) >= ${mostNew} order by count(*) desc limit ${ORGANIZATIONS}`.execute(read);
  for (const { id } of rows)
    await write((tx) =>
      sql`with changed as (
          select distinct group_key, carrier, presence from device_counts where organization_id = ${id}::uuid and is_new
        ), merged as (
          delete from device_counts c using changed k
          where c.organization_id = ${id}::uuid and c.group_key = k.group_key and c.presence = k.presence
            and c.carrier is not distinct from k.carrier
          returning c.*
        )
        insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices, is_new)
        select organization_id, main_account_id, group_key, carrier, presence, sum(devices), false from merged
        group by 1, 2, 3, 4, 5 having sum(devices) <> 0`.execute(tx),
    );
}
