import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Database } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Row } from '../../platform/ports/tables.ts';

const KEPT_DAYS = 30;
const BATCH = 2_000;

/**
 * A job: delete what was archived at least 30 days ago, of every organization: the devices, and the intervals through which their
 * history was read. Audit entries stay. After an interruption the next run continues.
 * @returns how many devices were removed
 */
export function purgeArchivedDevices(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  return purgeWhere(database, sql`archived_at < ${before}::timestamptz`);
}

/** Delete everything archived of an organization that is being purged. */
export function purgeDevicesOf(database: Database, scope: OrganizationScope): Promise<number> {
  return purgeWhere(database, sql`organization_id = ${scope.organizationId}::uuid and archived_at is not null`);
}

async function purgeWhere(database: Database, which: Fragment): Promise<number> {
  let purged = 0;
  for (;;) {
    const removed = await database.write(async (tx) => {
      const { rows } = await sql<Row<'devices', 'id'>>`delete from devices where (organization_id, id) in (
          select organization_id, id from devices where ${which} limit ${BATCH}
        ) returning id`.execute(tx);
      const ids = rows.map(({ id }) => id);
      await sql`delete from router_ownership where device_id = any (${ids}::uuid[])`.execute(tx);
      await sql`delete from device_health where device_id = any (${ids}::uuid[])`.execute(tx);
      return rows.length;
    });
    purged += removed;
    if (removed < BATCH) return purged;
  }
}
