import type { deviceAdding } from '@highline/contract';
import type { CallResponse } from '../../api/client.ts';
import { saveFile } from '../../api/download.ts';
import { ApiError } from '../../api/errors.ts';

export type ImportResult = CallResponse<typeof deviceAdding.importDevices>['result'];

/** A row that was not taken. */
export interface FailedRow {
  readonly row: number;
  readonly serial: string;
  readonly mac: string;
  readonly error: string;
}

/** The result of a CSV import. */
export interface ImportOutcome {
  readonly success: number;
  readonly total: number;
  readonly failed: number;
  readonly fail: readonly FailedRow[];
  /** The failed rows as CSV, to mend and import again. */
  readonly report: string;
  /** Number of rows in it: the first ones, if there are too many. */
  readonly reported: number;
  /** How the file was read; undefined if its columns were not found. */
  readonly file?: deviceAdding.ImportedFile | undefined;
  readonly dates?: ImportResult['dates'] | undefined;
}

/** The failed rows when the server rejected all of them with 400 or 404 (DEV-06). */
export function outcomeOf(error: unknown): { outcome: ImportOutcome; reason: string } | undefined {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) return undefined;
  const detail = error.detail as Partial<ImportOutcome> | undefined;
  const fail = Array.isArray(detail?.fail) ? detail.fail : [];
  const failed = detail?.failed ?? fail.length;
  return {
    outcome: {
      success: 0,
      total: detail?.total ?? fail.length,
      failed,
      fail,
      report: detail?.report ?? '',
      reported: detail?.reported ?? failed,
      file: detail?.file,
      dates: detail?.dates,
    },
    reason: error.reason ?? error.message,
  };
}

/** Hand out the rows that failed as a CSV that can be mended and imported (DEV-06, BLK-05). */
export function saveReport({ report }: Pick<ImportOutcome, 'report'>, name = 'Devices_error.csv'): void {
  saveFile(new Blob([report], { type: 'text/csv;charset=utf-8' }), name);
}
