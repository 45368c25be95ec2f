import { safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import type { LogRow } from './logs.queries.ts';

const titles = {
  'en-US': { time: 'Date/Time', user: 'Cloud User', address: 'IP Address', action: 'Action' },
  'zh-TW': { time: '日期／時間', user: '雲端使用者', address: 'IP 位址', action: '動作' },
} as const;

/** Columns of the log as CSV (LOG-01); times are written by `formatTime` in the reader's zone. */
export function logColumns(language: keyof typeof titles, formatTime: (at: Date) => string): CsvColumn<LogRow>[] {
  const title = titles[language];
  return [
    { title: '#', cell: (_, index) => String(index + 1) },
    { title: title.time, cell: (row) => formatTime(row.at) },
    { title: title.user, cell: (row) => safeCell(row.actor_email) },
    { title: title.address, cell: (row) => safeCell(row.address) },
    { title: title.action, cell: (row) => safeCell(row.action) },
  ];
}
