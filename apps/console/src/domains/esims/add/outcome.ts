import type { deviceAdding, esims } from '@highline/contract';
import { ApiError } from '../../../api/errors.ts';

type FailedRow = esims.FailedProfile;

/** The result of a CSV import. */
export interface Outcome {
  readonly success: number;
  readonly total: number;
  readonly failed: number;
  readonly fail: readonly FailedRow[];
  /** The failed rows as CSV, to mend and import again (SHR-08: eSIMs_error); empty if there are none. */
  readonly report: string;
  /** Number of rows in it. */
  readonly reported: number;
  /** How the file was read; undefined if its columns were not found. */
  readonly file?: deviceAdding.ImportedFile | undefined;
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
    report: detail.report ?? '',
    reported: detail.reported ?? fail.length,
    file: detail.file,
    ...(fail.length === 0 ? { reason: error.reason ?? error.message } : {}),
  };
}
