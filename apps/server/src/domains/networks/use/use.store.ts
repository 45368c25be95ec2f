import type { networks } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../../kernel/index.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import { deleteClientListsOf } from '../../router-state/index.ts';

/** Store what an organization keeps of clients, and delete what it keeps no longer. */
export async function writeClientSettings(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { keep, days }: networks.ClientSettings,
  now: Date,
): Promise<void> {
  await sql`insert into client_settings (organization_id, keep, days, updated_at)
    values (${organizationId}::uuid, ${keep}, ${days}, ${now}::timestamptz)
    on conflict (organization_id) do update set keep = excluded.keep, days = excluded.days, updated_at = excluded.updated_at`.execute(
    tx,
  );
  if (keep !== 'use') await deleteUse(tx, organizationId);
  await sql`delete from client_days where organization_id = ${organizationId}::uuid
    and day < (${now}::timestamptz - make_interval(days => ${days}))::date`.execute(tx);
  await deleteClientListsOf(tx, organizationId, keep === 'nothing' ? undefined : new Date(now.getTime() - days * 86_400_000));
}

async function deleteUse(tx: Tx, organizationId: string): Promise<void> {
  // In the order in which the hourly job deletes them.
  await tx.deleteFrom('client_counters').where('organization_id', '=', organizationId).execute();
  await tx.deleteFrom('client_days').where('organization_id', '=', organizationId).execute();
}
