// Reads tables of other domains: device_properties, router_settings, sent_commands.
import type { organizations } from '@highline/contract';
import { sql } from 'kysely';
import type { MainScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { devicesOf } from './device.filters.ts';

/** What a transfer of these devices deletes or cancels for good. */
export async function countLosses(tx: Tx, scope: MainScope, ids: readonly string[]): Promise<organizations.TransferLosses> {
  const moving = (table: string) => sql`devices d join ${sql.table(table)} t
    on t.organization_id = d.organization_id and t.device_id = d.id where ${devicesOf(scope)} and d.id = any (${[...ids]}::uuid[])`;
  const { rows } = await sql<organizations.TransferLosses>`
    select p.*,
      (select count(*)::int from ${moving('router_settings')} and t.replaced_at is null) as settings,
      (select count(*)::int from ${moving('sent_commands')} and t.state = 'waiting') as commands
    from (select (count(*) filter (where t.picture_size is null))::int as "values", count(t.picture_size)::int as pictures
      from ${moving('device_properties')}) p`.execute(tx);
  return rows[0]!;
}
