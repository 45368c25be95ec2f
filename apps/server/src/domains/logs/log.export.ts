import type { logs } from '@highline/contract';
import { numberColumn, safeCell, type ListColumns } from '../../platform/csv/index.ts';
import type { LogRow } from './logs.queries.ts';

/** Columns of the log as CSV (LOG-01); times are written by `formatTime` in the reader's zone. */
export function logColumns(formatTime: (at: Date) => string): ListColumns<(typeof logs.logColumns)[number], LogRow> {
  return {
    number: numberColumn,
    time: ['Date/Time', '日期／時間', (row) => formatTime(row.at)],
    user: ['Cloud User', '雲端使用者', (row) => safeCell(actorOf(row))],
    ip: ['IP Address', 'IP 位址', (row) => safeCell(row.address)],
    action: ['Action', '動作', (row) => safeCell(row.action)],
  };
}

/** The user, and the API key that a program used for them. */
function actorOf({ actor_email: email, actor_key: key }: LogRow): string {
  return key === null ? email : `${email} · ${key}`;
}
