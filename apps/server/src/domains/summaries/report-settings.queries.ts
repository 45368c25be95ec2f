import { summaries as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Queries } from '../../platform/ports/database.ts';

export type StoredSettings = Omit<calls.ReportSettings, 'version'> & { readonly version: number };

/** The settings of the reports of an organization; the usual ones of a main account, and where nothing was saved. */
export async function readReportSettings(queries: Queries, scope: Scope): Promise<StoredSettings> {
  const organizationId = scope.kind === 'organization' ? scope.organizationId : null;
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
