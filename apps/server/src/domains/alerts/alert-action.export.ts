import type { alerts } from '@highline/contract';
import { identifierCell, numberColumn, safeCell, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
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

const reasons: Readonly<Record<alerts.ActionReason, Bilingual>> = {
  resolved: ['the alert was over', '警報已解除'],
  acknowledged: ['a person had acknowledged the alert', '警報已有人確認'],
  'cool-down': ['the rule had acted on this vehicle shortly before', '規則不久前才對此車輛執行過'],
  repeats: ['three times in 24 hours did not help this vehicle', '24 小時內執行三次仍無法改善此車輛'],
  'already-waiting': [
    'the same, or another eSIM switch, still waits or is under way',
    '相同的動作或另一次 eSIM 切換仍在等候或進行中',
  ],
  'at-once': ['the rule acts on as many vehicles as it may', '同時執行的車輛數已達上限'],
  'day-limit': ['the actions of 24 hours are used up', '24 小時內的動作數已用完'],
  offline: ['the router was offline', '路由器離線'],
  not_allowed: ['the person who saved the rule is no longer allowed to do this', '儲存規則的使用者已無此權限'],
  no_command: ['the command no longer exists', '指令已不存在'],
  no_profile: ['there is no other eSIM profile', '沒有其他 eSIM'],
  no_webhook: ['the webhook no longer exists', 'Webhook 已不存在'],
  webhook_off: ['the webhook is off', 'Webhook 已關閉'],
  too_many_jobs: ['too many jobs were running', '執行中的工作過多'],
  too_many_open: ['too many commands wait for this router', '此路由器等候中的指令過多'],
  'rule-changed': ['the rule was changed', '規則已變更'],
};

/** Columns of what rules did by themselves as CSV (WIN-03); times are written by `formatTime` in the reader's zone. */
export function actionColumns(formatTime: (at: Date) => string): readonly CsvColumn<ActionRow>[] {
  return [
    numberColumn,
    ['Time', '時間', ({ created_at: at }) => formatTime(at), 'time'],
    ['Rule', '規則', ({ rule_name: rule }) => safeCell(rule)],
    ['Serial Number', '序號', ({ serial }) => identifierCell(serial)],
    ['Vehicle Number', '車輛編號', ({ vehicle_number: vehicle }) => identifierCell(vehicle)],
    ['Action', '動作', ({ action }) => does[action.does.kind]],
    ['Outcome', '結果', ({ state }) => states[state]],
    ['Reason', '原因', ({ reason }) => (reason === null ? '' : reasons[reason])],
  ];
}
