import { sql } from 'kysely';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { LevelContent } from './effective-setting.ts';
import type { LevelTarget } from './settings.queries.ts';

/** A version to store. */
export interface NewVersion {
  readonly version: number;
  readonly content: LevelContent;
  /** Seals the secrets for the id of the row; null = there are none. */
  readonly seal: (id: string) => Buffer | null;
  readonly email: string;
}

/** Replace what counts for a level; the caller has locked the organization. */
export async function insertVersion(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { groupKey, deviceId }: Pick<LevelTarget, 'groupKey' | 'deviceId'>,
  { version, content, seal, email }: NewVersion,
  now: Date,
): Promise<void> {
  await sql`update router_settings set replaced_at = ${now}::timestamptz
    where organization_id = ${organizationId}::uuid and replaced_at is null
      and coalesce(device_id::text, '') = ${deviceId ?? ''} and coalesce(group_key, '') = ${groupKey ?? ''}`.execute(tx);
  const id = newId(now.getTime());
  await tx
    .insertInto('router_settings')
    .values({
      id,
      organization_id: organizationId,
      group_key: groupKey,
      device_id: deviceId,
      version,
      content: JSON.stringify(content),
      sealed: seal(id),
      created_by: email,
      created_at: now,
    })
    .execute();
}

/** Delete the settings of devices that leave the organization: the next organization must not see them. */
export async function deleteSettingsOf(
  tx: Tx,
  { organizationId }: OrganizationScope,
  deviceIds: readonly string[],
): Promise<void> {
  for (const table of ['router_settings', 'router_settings_states'] as const)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await sql`delete from ${sql.table(table)} where organization_id = ${organizationId}::uuid
      and device_id = any (${[...deviceIds]}::uuid[])`.execute(tx);
}
