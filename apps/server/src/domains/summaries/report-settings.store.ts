import { summaries as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';

type Settings = Omit<calls.ReportSettings, 'version'> & { readonly version: number };

/** The settings of the reports of an organization; the usual ones of a main account (null), and where nothing was saved. */
export async function readReportSettings(queries: Queries, organizationId: string | null): Promise<Settings> {
  const { rows } = await sql<{
    target: number | null;
    carrier_targets: Readonly<Record<string, number>>;
    files_days: number;
    has_logo: boolean;
    version: number;
  }>`select target, carrier_targets, files_days, logo is not null as has_logo, version from report_settings
    where organization_id = ${organizationId}::uuid`.execute(queries);
  const [row] = rows;
  return {
    target: row?.target ?? null,
    carrierTargets: Object.entries(row?.carrier_targets ?? {}).map(([carrier, target]) => ({ carrier, target })),
    filesDays: row?.files_days ?? calls.USUAL_FILES_DAYS,
    hasLogo: row?.has_logo ?? false,
    version: row?.version ?? 0,
  };
}

/** Lock the settings of an organization, which then has some. */
export async function lockReportSettings(tx: Tx, { organizationId }: OrganizationScope): Promise<Settings> {
  await sql`insert into report_settings (organization_id, version) values (${organizationId}::uuid, 0) on conflict do nothing`.execute(
    tx,
  );
  await sql`select from report_settings where organization_id = ${organizationId}::uuid for update`.execute(tx);
  return readReportSettings(tx, organizationId);
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
