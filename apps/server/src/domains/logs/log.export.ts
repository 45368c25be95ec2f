import { numberColumn, safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import type { LogRow } from './logs.queries.ts';

/** Columns of the log as CSV (LOG-01); times are written by `formatTime` in the reader's zone. */
export function logColumns(formatTime: (at: Date) => string): CsvColumn<LogRow>[] {
  return [
    numberColumn,
    ['Date/Time', '日期／時間', (row) => formatTime(row.at)],
    ['Cloud User', '雲端使用者', (row) => safeCell(row.actor_email)],
    ['IP Address', 'IP 位址', (row) => safeCell(row.address)],
    ['Action', '動作', (row) => safeCell(row.action)],
  ];
}
