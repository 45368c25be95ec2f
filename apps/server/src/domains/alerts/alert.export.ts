import type { alerts } from '@highline/contract';
import { identifierCell, numberColumn, safeCell, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import { readings } from '../router-state/index.ts';
import type { AlertRow } from './alert.dto.ts';

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

/** Columns of alerts as CSV (ALR-03); times are written by `formatTime` in the reader's zone. */
export function alertColumns(formatTime: (at: Date) => string): readonly CsvColumn<AlertRow>[] {
  const moment = (at: Date | null) => (at === null ? '' : formatTime(at));
  return [
    numberColumn,
    ['Severity', '嚴重程度', ({ severity }) => severities[severity]],
    ['State', '狀態', ({ state }) => states[state]],
    ['Rule', '規則', ({ rule_name: rule }) => safeCell(rule)],
    ['Organization', '組織', ({ org_name: organization }) => safeCell(organization)],
    ['Serial Number', '序號', ({ serial }) => identifierCell(serial)],
    ['Vehicle Number', '車輛編號', ({ vehicle_number: vehicle }) => identifierCell(vehicle)],
    ['Carrier', '電信業者', ({ carrier }) => safeCell(carrier ?? '')],
    ['Group', '群組', ({ group_name: group }) => identifierCell(group)],
    ['Last place', '最後位置', placeOf],
    ['Value', '數值', valueOf],
    ['Since', '開始時間', ({ since }) => moment(since), 'time'],
    ['Fired', '觸發時間', ({ fired_at: at }) => moment(at), 'time'],
    ['Acknowledged', '確認時間', ({ acknowledged_at: at }) => moment(at), 'time'],
    ['Acknowledged by', '確認者', ({ acknowledged_by: by }) => safeCell(by)],
    ['Note', '備註', ({ note }) => safeCell(note)],
    ['Resolved', '解除時間', ({ resolved_at: at }) => moment(at), 'time'],
  ];
}

/** The geofence, otherwise the coordinates. */
function placeOf({ place, latitude, longitude }: AlertRow): string {
  if (place !== null) return safeCell(place);
  return latitude === null || longitude === null ? '' : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

function valueOf({ value, reading, geofence }: AlertRow): string {
  if (geofence !== null) return safeCell(geofence);
  const unit = readings.find(({ key }) => key === reading)?.unit;
  if (value === null) return '';
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
