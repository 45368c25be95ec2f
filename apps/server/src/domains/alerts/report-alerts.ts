import type { Language } from '@highline/contract';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { endSystemAlert, openSystemAlert } from './system-alerts.job.queries.ts';

/** A report that could not be sent. */
export interface UnsentReport {
  readonly id: string;
  readonly name: string;
  readonly language: Language;
  /** When it was due. */
  readonly due: Date;
}

/** A report could not be sent (RPM-03). */
export async function openReportAlert(
  tx: Tx,
  scope: OrganizationScope,
  { id, name, language, due }: UnsentReport,
  now: Date,
): Promise<void> {
  await openSystemAlert(tx, scope, { kind: 'report-failed', about: id, name, language, since: due }, now);
}

/** It was sent, will not be sent any more, or was deleted. */
export function endReportAlert(tx: Tx, scope: OrganizationScope, id: string, now: Date): Promise<void> {
  return endSystemAlert(tx, scope, { kind: 'report-failed', about: id }, now);
}
