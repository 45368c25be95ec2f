// Reads tables of other domains: devices.
import { diagnoses, type Finding } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** How far the job is. */
export interface DiagnosisPass {
  readonly computed_until: Date;
  /** Of the pass that runs: the end of its hours, and its last device; null = none runs. */
  readonly target: Date | null;
  readonly after_device: string | null;
  readonly looked_until: Date;
  readonly searched_until: Date;
}

/** Of several processes one works at a time. @returns undefined while another one does */
export async function lockPass(tx: Tx): Promise<DiagnosisPass | undefined> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext('diagnosis')) as mine`.execute(tx);
  if (!rows[0]!.mine) return undefined;
  return tx
    .selectFrom('diagnosis_pass')
    .select(['computed_until', 'target', 'after_device', 'looked_until', 'searched_until'])
    .executeTakeFirst();
}

export async function savePass(tx: Tx, change: Partial<DiagnosisPass>): Promise<void> {
  await tx.updateTable('diagnosis_pass').set(change).execute();
}

/** A device with what was found about it now. */
export interface Diagnosed {
  readonly id: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  /** The most urgent first. */
  readonly findings: readonly Finding[];
}

/**
 * Replace what is stored about these devices. A finding that goes on keeps its time.
 * @returns the organizations in which something was found, or is no longer found
 */
export async function saveFindings(tx: Tx, devices: readonly Diagnosed[], now: Date): Promise<readonly OrganizationScope[]> {
  const rows = devices.flatMap(({ id, organizationId, mainAccountId, findings }) =>
    findings.map(({ kind, since, ...evidence }, index) => ({
      organization_id: organizationId,
      device_id: id,
      main_account_id: mainAccountId,
      kind,
      number: diagnoses[kind].number,
      is_first: index === 0,
      since: new Date(since * 1_000).toISOString(),
      computed_at: now.toISOString(),
      evidence,
    })),
  );
  const found = sql`jsonb_populate_recordset(null::device_diagnoses, ${JSON.stringify(rows)}::jsonb)`;
  const { rows: changed } = await sql<{
    organization_id: string;
    main_account_id: string;
  }>`with n as materialized (select * from ${found}),
    ended as (
      delete from device_diagnoses x using unnest(${devices.map(({ organizationId }) => organizationId)}::uuid[], ${devices.map(({ id }) => id)}::uuid[]) k (organization_id, device_id)
      where x.organization_id = k.organization_id and x.device_id = k.device_id
        and not exists (select from n where n.organization_id = x.organization_id and n.device_id = x.device_id and n.kind = x.kind)
      returning x.organization_id, x.main_account_id
    ), begun as (
      insert into device_diagnoses as x select n.* from n on conflict (organization_id, device_id, kind) do update
        set number = excluded.number, is_first = excluded.is_first, since = least(x.since, excluded.since), computed_at = excluded.computed_at, evidence = excluded.evidence
      returning x.organization_id, x.main_account_id, x.xmax = 0 as is_new
    )
    select organization_id, main_account_id from ended
    union select organization_id, main_account_id from begun where is_new`.execute(tx);
  return changed.map((row) => ({
    kind: 'organization',
    mainAccountId: row.main_account_id,
    organizationId: row.organization_id,
  }));
}

/** Delete what is stored about devices that are no longer in their organization: deleted or transferred ones. */
export async function deleteOrphans(tx: Tx): Promise<void> {
  await sql`delete from device_diagnoses x where not exists (select from devices d
    where d.organization_id = x.organization_id and d.id = x.device_id and d.archived_at is null)`.execute(tx);
}
