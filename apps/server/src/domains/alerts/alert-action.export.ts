import type { alerts } from '@highline/contract';
import { numberColumn, safeCell, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import type { ActionRow } from './alert-actions.queries.ts';

const states: Readonly<Record<ActionRow['state'], Bilingual>> = {
  waiting: ['Waiting', '等待中'],
  started: ['Done', '已執行'],
  'dry-run': ['Dry run', '試行'],
  skipped: ['Not done', '未執行'],
};

const does: Readonly<Record<alerts.RuleDoes['kind'], Bilingual>> = {
  command: ['Run a command', '執行指令'],
  send: ['Restart', '重新啟動'],
  profile: ['Switch the eSIM profile', '切換 eSIM 設定檔'],
  webhook: ['Call a webhook', '呼叫 Webhook'],
  test: ['Run a test', '執行檢測'],
};

/** Columns of what rules did by themselves as CSV (WIN-03); times are written by `formatTime` in the reader's zone. */
export function actionColumns(formatTime: (at: Date) => string): readonly CsvColumn<ActionRow>[] {
  return [
    numberColumn,
    ['Time', '時間', ({ created_at: at }) => formatTime(at)],
    ['Rule', '規則', ({ rule_name: rule }) => safeCell(rule)],
    ['Serial Number', '序號', ({ serial }) => safeCell(serial)],
    ['Vehicle Number', '車輛編號', ({ vehicle_number: vehicle }) => safeCell(vehicle)],
    ['Action', '動作', ({ action }) => does[action.does.kind]],
    ['Outcome', '結果', ({ state }) => states[state]],
    ['Reason', '原因', ({ reason }) => reason ?? ''],
  ];
}
