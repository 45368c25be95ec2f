import type { routerBackups } from '@highline/contract';
import { sql } from 'kysely';
import { authorOf, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Replace the settings of an organization. */
export async function saveBackupSettings(
  tx: Tx,
  { organizationId, mainAccountId }: OrganizationScope,
  actor: Actor,
  { nightly, hour, zone, versions, days }: routerBackups.BackupSettings,
  now: Date,
): Promise<void> {
  await sql`insert into router_backup_settings (organization_id, main_account_id, nightly, hour, zone, versions, days, author, updated_at)
    values (${organizationId}::uuid, ${mainAccountId}::uuid, ${nightly}, ${hour}, ${zone}, ${versions}, ${days},
      ${JSON.stringify(authorOf(actor))}::jsonb, ${now}::timestamptz)
    on conflict (organization_id) do update set nightly = excluded.nightly, hour = excluded.hour, zone = excluded.zone,
      versions = excluded.versions, days = excluded.days, author = excluded.author, updated_at = excluded.updated_at,
      stopped_at = null`.execute(tx);
}
