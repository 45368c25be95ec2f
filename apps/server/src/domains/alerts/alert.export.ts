import type { alerts } from '@highline/contract';
import { identifierCell, numberColumn, safeCell, type Bilingual, type ListColumns } from '../../platform/csv/index.ts';
import type { AlertRow } from './alert.dto.ts';
import { measuredText } from './measured-text.ts';

const severities: Readonly<Record<alerts.Severity, Bilingual>> = {
  critical: ['Critical', '嚴重'],
  warning: ['Warning', '警告'],
  info: ['Info', '一般'],
};

const states: Readonly<Record<alerts.AlertState, Bilingual>> = {
  firing: ['Firing', '觸發中'],
  acknowledged: ['Acknowledged', '已確認'],
  resolved: ['Resolved', '已解除'],
};

const resolutions: Readonly<Record<alerts.Resolution, Bilingual>> = {
  cleared: ['Condition ended', '已恢復正常'],
  transferred: ['Device transferred', '裝置已移轉'],
  deleted: ['Device deleted', '裝置已刪除'],
  'router-replaced': ['Router replaced', '路由器已更換'],
  'out-of-scope': ['No longer watched', '不再監看'],
  'rule-changed': ['Rule changed', '規則已變更'],
  'rule-deleted': ['Rule deleted', '規則已刪除'],
};

/** Columns of alerts as CSV (ALR-03); times are written by `formatTime` in the reader's zone. */
export function alertColumns(
  formatTime: (at: Date) => string,
  now: Date,
): ListColumns<(typeof alerts.alertColumns)[number], AlertRow> {
  const moment = (at: Date | null) => (at === null ? '' : formatTime(at));
  return {
    number: numberColumn,
    severity: ['Severity', '嚴重程度', ({ severity }) => severities[severity]],
    state: ['State', '狀態', ({ state }) => states[state]],
    resolution: ['Ended because', '解除原因', ({ resolution }) => (resolution === null ? '' : resolutions[resolution])],
    rule: ['Rule', '規則', ({ rule_name: rule }) => safeCell(rule)],
    value: ['Value', '數值', (row, _, language) => safeCell(row.geofence ?? measuredText(language, row))],
    organization: ['Organization', '組織', ({ org_name: organization }) => safeCell(organization)],
    serial: ['Serial Number', '序號', ({ serial }) => identifierCell(serial)],
    vehicle: ['Vehicle Number', '車輛編號', ({ vehicle_number: vehicle }) => identifierCell(vehicle)],
    carrier: ['Carrier', '電信業者', ({ carrier }) => safeCell(carrier ?? '')],
    group: ['Group', '群組', ({ group_name: group }) => identifierCell(group)],
    place: ['Last place', '最後位置', (row) => safeCell(placeOf(row))],
    since: ['Since', '開始時間', ({ since }) => moment(since), 'time'],
    fired: ['Fired', '觸發時間', ({ fired_at: at }) => moment(at), 'time'],
    duration: ['Duration (min)', '持續時間（分鐘）', (row) => String(minutesOf(row, now)), 'number'],
    acknowledged: ['Acknowledged', '確認時間', ({ acknowledged_at: at }) => moment(at), 'time'],
    acknowledgedBy: ['Acknowledged by', '確認者', ({ acknowledged_by: by }) => safeCell(by)],
    note: ['Note', '備註', ({ note }) => safeCell(note)],
    resolved: ['Resolved', '解除時間', ({ resolved_at: at }) => moment(at), 'time'],
  };
}

/** The geofence, or the description, otherwise the coordinates. */
function placeOf({ place, latitude, longitude }: AlertRow): string {
  if (place !== null && place !== '') return place;
  return latitude === null || longitude === null ? '' : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

/** How long the condition has held, or did hold. */
const minutesOf = ({ since, resolved_at: resolved }: AlertRow, now: Date): number =>
  Math.max(0, Math.round(((resolved ?? now).getTime() - since.getTime()) / 60_000));
