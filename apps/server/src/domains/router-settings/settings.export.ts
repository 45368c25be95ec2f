import type { Language, routerSettings as calls, sentCommands } from '@highline/contract';
import { identifierCell, safeCell, timeIn, type Bilingual, type ListColumns } from '../../platform/csv/index.ts';
import { isOtherwise } from './compare.ts';
import type { SettingsListRow } from './settings.queries.ts';

/** The state of a device, as the list on the screen says it. */
export const stateTexts: Readonly<Record<calls.DeviceState, Bilingual>> = {
  'as-set': ['As set', '與設定相同'],
  differs: ['Differs', '與設定不同'],
  incomplete: ['A value is missing', '缺少值'],
  'not-readable': ['Not readable in part', '部分無法讀取'],
  'not-sent': ['Not sent yet', '尚未傳送'],
  none: ['Nothing is set', '沒有設定'],
};

/** The last command, as the list on the screen says it. */
const resultTexts: Readonly<Record<sentCommands.SentState, Bilingual>> = {
  waiting: ['Waits for the router', '等待路由器連線'],
  sent: ['Being sent', '傳送中'],
  running: ['Being set', '設定中'],
  done: ['Set', '已設定'],
  failed: ['Failed', '失敗'],
  expired: ['Expired', '已逾時'],
  cancelled: ['Cancelled', '已取消'],
};

/** Paths that differ, with what the router has. */
function differences({ report, state }: SettingsListRow): string {
  if (state !== 'differs') return '';
  return Object.entries(report ?? {})
    .filter(([, { state }]) => isOtherwise(state))
    .map(([path, { actual }]) => (actual === undefined ? path : `${path} = ${actual}`))
    .join('; ');
}

/** The result of the last command, with what it says. */
function lastResult({ commandState: state, commandMessage: message }: SettingsListRow): Bilingual {
  if (state === null) return ['', ''];
  const [english, chinese] = resultTexts[state];
  const said = message === null || message === '' ? '' : `: ${message}`;
  return [safeCell(`${english}${said}`), safeCell(`${chinese}${said}`)];
}

/** The columns of a file of the list. @param zone of their times */
export function settingsFileColumns(
  zone: string | undefined,
  language?: Language,
): ListColumns<(typeof calls.settingsColumns)[number], SettingsListRow> {
  const time = timeIn(zone, language);
  return {
    name: ['Vehicle', '車輛', (row) => identifierCell(row.vehicle_number ?? '')],
    serial: ['Serial Number', '序號', (row) => identifierCell(row.serial)],
    group: ['Group', '群組', (row) => identifierCell(row.group_name)],
    state: ['State', '狀態', (row) => stateTexts[row.state]],
    differs: ['Values that differ', '不同的值的數量', (row) => (row.state === 'differs' ? String(row.differs) : '0'), 'number'],
    values: ['What the router has', '路由器的值', (row) => safeCell(differences(row))],
    since: [
      'Since',
      '開始時間',
      (row) => (row.since === null || row.state !== 'differs' ? '' : time(new Date(row.since))),
      'time',
    ],
    checked: ['Read', '讀取時間', (row) => (row.checked_at === null ? '' : time(row.checked_at)), 'time'],
    sent: ['Last command', '上次指令', lastResult],
    exceptions: ['Exceptions', '例外', (row) => String(row.exceptions), 'number'],
  };
}
