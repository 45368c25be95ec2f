import type { esims } from '@highline/contract';
import { csvCell, csvFile, saveFile } from '../../../api/download.ts';
import { ApiError } from '../../../api/errors.ts';

type FailedRow = esims.FailedProfile;

/** The result of a CSV import. */
export interface Outcome {
  readonly success: number;
  readonly total: number;
  readonly failed: number;
  readonly fail: readonly FailedRow[];
  /** The server's message when no row was added. */
  readonly reason?: string;
}

/** The result of a rejected CSV: 400 and 404 are results too (SIM-04), with the failed rows if there are any. */
export function rejectedOutcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) return undefined;
  const detail = (error.detail ?? {}) as Partial<Outcome>;
  const fail = Array.isArray(detail.fail) ? detail.fail : [];
  return {
    success: 0,
    total: detail.total ?? fail.length,
    failed: detail.failed ?? fail.length,
    fail,
    ...(fail.length === 0 ? { reason: error.reason ?? error.message } : {}),
  };
}

const columns = ['serial', 'eid', 'ac', 'iccid', 'apn1', 'apn2', 'name', 'error'] as const;

/** The rows that failed, as a CSV to mend and send again (SHR-08: eSIMs_error). */
export function reportOf(rows: readonly FailedRow[], errorText: (error: string) => string): Blob {
  const lines = rows.map((row) => columns.map((column) => csvCell(column === 'error' ? errorText(row.error) : row[column])));
  return csvFile([columns, ...lines]);
}

/** Hand out the rows that failed. */
export function saveReport(rows: readonly FailedRow[], errorText: (error: string) => string): void {
  saveFile(reportOf(rows, errorText), 'eSIMs_error.csv');
}
