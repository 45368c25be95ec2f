// Reads tables of other domains: device_diagnoses.
import type { DiagnosisFilter, Finding } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';

/** Findings `x` of `devices d`: those of its present organization. */
const ofDevice = sql`x.organization_id = d.organization_id and x.device_id = d.id`;

/** Findings `x` of a scope. */
export const findingsOf = (scope: Scope): Fragment =>
  scope.kind === 'organization'
    ? sql`x.organization_id = ${scope.organizationId}::uuid`
    : sql`x.main_account_id = ${scope.mainAccountId}::uuid`;

/** The most urgent one of `devices d`, by its kind. */
export const firstDiagnosis = sql`(select x.kind from device_diagnoses x where ${ofDevice} and x.is_first)`;

/** Something was found about `devices d`. */
export const hasDiagnosis = sql`exists (select from device_diagnoses x where ${ofDevice} and x.is_first)`;

/** Devices `d` with their most urgent finding `x`; `left`: also those without one. */
export function devicesWithDiagnosis(join: 'inner' | 'left'): Fragment {
  return sql`devices d ${sql.raw(join)} join device_diagnoses x on ${ofDevice} and x.main_account_id = d.main_account_id and x.is_first`;
}

/** Devices of a scope about which this was found. Found once for a statement, by an index. */
export function diagnosisIs(scope: Scope, filter: DiagnosisFilter): Fragment {
  const which = filter === 'any' ? sql`x.is_first` : sql`x.kind = ${filter}`;
  return sql`(d.organization_id, d.id) in (select x.organization_id, x.device_id from device_diagnoses x
    where ${findingsOf(scope)} and ${which})`;
}

interface FindingRow {
  readonly kind: Finding['kind'];
  readonly since: number;
  readonly evidence: object;
}

/** What was found about a device of a scope, the most urgent first; without places for those who may not read positions. */
export async function readFindings(
  reader: Reader,
  scope: Scope,
  device: { readonly id: string; readonly organization_id: string },
  { showsPositions }: { readonly showsPositions: boolean },
): Promise<Finding[]> {
  const rows = await reader.rows<FindingRow>(
    sql`select x.kind, floor(extract(epoch from x.since))::float8 as since, x.evidence from device_diagnoses x
      where ${findingsOf(scope)} and x.organization_id = ${device.organization_id}::uuid and x.device_id = ${device.id}::uuid order by x.number`,
  );
  const found = rows.map(({ kind, since, evidence }) => ({ ...evidence, kind, since }) as Finding);
  return showsPositions ? found : found.map((each) => ('place' in each ? { ...each, place: null } : each));
}
