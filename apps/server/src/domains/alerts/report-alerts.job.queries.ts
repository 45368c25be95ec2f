import { sql } from 'kysely';
import type { Language } from '@highline/contract';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { deliverChanged } from './alert.events.ts';
import { changedColumns, type ChangedAlert } from './alerts.job.queries.ts';

/** A report that could not be sent. */
export interface UnsentReport {
  readonly id: string;
  readonly name: string;
  readonly language: Language;
  /** When it was due. */
  readonly due: Date;
}

const titles: Readonly<Record<Language, string>> = { 'en-US': 'Report not sent', 'zh-TW': '報表未寄出' };

/**
 * A report could not be sent: an alert that no rule has to watch (RPM-03). Its id stands where others have rule and device, so that a report has
 * one open alert; what it is called stands for the vehicle.
 */
export async function openReportAlert(tx: Tx, scope: OrganizationScope, report: UnsentReport, now: Date): Promise<void> {
  const fired = await tx
    .insertInto('alerts')
    .values({
      id: newId(now.getTime()),
      organization_id: scope.organizationId,
      main_account_id: scope.mainAccountId,
      rule_id: report.id,
      rule_name: titles[report.language],
      severity: 'warning',
      kind: 'report-failed',
      device_id: report.id,
      serial: '',
      vehicle_number: report.name,
      group_key: '',
      state: 'firing',
      since: report.due,
      fired_at: now,
      resolution: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'rule_id', 'device_id']).where('state', '<>', 'resolved').doNothing(),
    )
    .returning(changedColumns)
    .execute();
  await publishChanged(tx, scope, 'alert.fired', fired, now);
}

/** It was sent, will not be sent any more, or was deleted. */
export async function endReportAlert(tx: Tx, scope: OrganizationScope, id: string, now: Date): Promise<void> {
  const { rows } =
    await sql<ChangedAlert>`update alerts set state = 'resolved', resolved_at = ${now}::timestamptz, resolution = 'cleared'
    where organization_id = ${scope.organizationId}::uuid and rule_id = ${id}::uuid and kind = 'report-failed' and state <> 'resolved'
    returning ${sql.join(changedColumns.map((column) => sql.ref(column)))}`.execute(tx);
  await publishChanged(tx, scope, 'alert.resolved', rows, now);
}

async function publishChanged(
  tx: Tx,
  scope: OrganizationScope,
  type: 'alert.fired' | 'alert.resolved',
  changed: readonly ChangedAlert[],
  now: Date,
): Promise<void> {
  if (changed.length === 0) return;
  await announce(
    tx,
    scope,
    'alerts',
    changed.map(({ id }) => id),
  );
  await deliverChanged(tx, type, changed, now);
}
