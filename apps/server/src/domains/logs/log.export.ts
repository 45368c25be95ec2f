import type { Language, logs } from '@highline/contract';
import { renderLogSentence } from '@highline/contract/log-texts';
import { safeCell, type ListColumns } from '../../platform/csv/index.ts';
import type { LogRow } from './logs.queries.ts';

/** Columns of the log as CSV (LOG-01); times are written by `formatTime` in the reader's zone. */
export function logColumns(
  formatTime: (at: Date) => string,
  language: Language = 'en-US',
): ListColumns<(typeof logs.logColumns)[number], LogRow> {
  return {
    number: ['#', '#', ({ seq }) => String(seq), 'number'],
    time: ['Date/Time', '日期／時間', (row) => formatTime(row.at), 'time'],
    user: ['Cloud User', '雲端使用者', (row) => safeCell(actorOf(row))],
    ip: ['IP Address', 'IP 位址', (row) => safeCell(row.address)],
    action: ['Action', '動作', (row) => safeCell(actionIn(language, row))],
  };
}

/** The user, the API key that a program used for them, and who approved it or let them in. */
function actorOf({ actor_email: email, actor_key: key, actor_with: others }: LogRow): string {
  return [email, ...(key === null ? [] : [key]), ...(others ?? []).map((other) => other.email)].join(' · ');
}

/** An entry of an earlier version, or with a key of a later one, has its stored text in every language. */
function actionIn(language: Language, { action, sentence }: LogRow): string {
  if (sentence === null || language === 'en-US') return action;
  return renderLogSentence(language, sentence) || action;
}
