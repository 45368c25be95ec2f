import type { summaries as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { readReportSettings, type StoredSettings } from './report-settings.queries.ts';

/** Lock the settings of an organization, which then has some. */
export async function lockReportSettings(tx: Tx, scope: OrganizationScope): Promise<StoredSettings> {
  const { organizationId } = scope;
  await sql`insert into report_settings (organization_id, version) values (${organizationId}::uuid, 0) on conflict do nothing`.execute(
    tx,
  );
  await sql`select from report_settings where organization_id = ${organizationId}::uuid for update`.execute(tx);
  return readReportSettings(tx, scope);
}

export type SettingsInput = Pick<calls.ReportSettings, 'target' | 'carrierTargets' | 'filesDays'>;

/** Replace all but the logo. */
export async function storeReportSettings(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { target, carrierTargets, filesDays }: SettingsInput,
): Promise<void> {
  const targets = JSON.stringify(Object.fromEntries(carrierTargets.map(({ carrier, target: agreed }) => [carrier, agreed])));
  await sql`update report_settings set target = ${target}, carrier_targets = ${targets}::jsonb, files_days = ${filesDays}, version = version + 1
    where organization_id = ${organizationId}::uuid`.execute(tx);
}

/** @param logo a PNG or JPEG that was checked; null = none */
export async function storeLogo(tx: Tx, { organizationId }: OrganizationScope, logo: Buffer | null): Promise<void> {
  await sql`update report_settings set logo = ${logo}, version = version + 1 where organization_id = ${organizationId}::uuid`.execute(
    tx,
  );
}
