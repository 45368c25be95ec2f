import type { SubscriptionState } from '@highline/contract';
import { sql } from 'kysely';
import { identifierCell, numberColumn, safeCell, type Bilingual, type CsvColumn } from '../../platform/csv/index.ts';
import { americanDay } from '../../kernel/calendar.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { textFacts, type TextKey } from '../router-state/index.ts';
import { stateOf, type DeviceRow, type EvaluationContext } from './device.dto.ts';

type ExportLayout = 'devices' | 'organizations' | 'sims' | 'service';
type Column = CsvColumn<ExportedRow>;

/** What the columns of a file are made from: a file of a million devices reads nothing else. */
export type ExportedRow = Pick<
  DeviceRow,
  | 'serial'
  | 'vehicle_number'
  | 'presence'
  | 'mac'
  | 'started_on'
  | 'expires_on'
  | 'note'
  | 'group_name'
  | 'organization_name'
  | TextKey
> & {
  /** Epoch seconds of the start. */
  readonly up_from: number | null;
};

const columns = {
  of: sql`d.serial, d.vehicle_number, d.presence, extract(epoch from d.up_since)::float8 as up_from, d.mac, d.started_on::text as started_on, d.expires_on::text as expires_on, d.note`,
  group: sql`xg.name as group_name`,
  organization: sql`xo.name as organization_name`,
  facts: sql.join(textFacts.map(({ key }) => sql.ref(`d.${key}`))),
};
const groupJoin = sql`left join groups xg on xg.organization_id = d.organization_id and xg.key = d.group_key`;
const organizationJoin = sql`left join organizations xo on xo.id = d.organization_id`;

/** The columns to read for a layout. */
export function exportedColumns(layout: ExportLayout): { readonly columns: Fragment; readonly joins: Fragment } {
  if (layout === 'organizations')
    return { columns: sql`${columns.of}, d.model, ${columns.organization}`, joins: organizationJoin };
  return { columns: sql`${columns.of}, ${columns.facts}, ${columns.group}`, joins: groupJoin };
}

const states: Record<SubscriptionState, Bilingual> = {
  subscribed: ['Subscribed', '已訂閱'],
  expiring: ['Expiring', '即將到期'],
  'not-subscribed': ['Not Subscribed', '未訂閱'],
};
const presences: Record<DeviceRow['presence'], Bilingual> = {
  online: ['Online', '上線'],
  offline: ['Offline', '離線'],
  unknown: ['Unknown', '未知'],
};
const units = { 'en-US': ['d', 'h', 'm', 's'], 'zh-TW': ['天', '時', '分', '秒'] } as const;

const serial: Column = ['Device Serial#', '裝置序號', (row) => identifierCell(row.serial)];
const vehicle: Column = ['Vehicle#', '車輛編號', (row) => identifierCell(row.vehicle_number)];
const model: Column = ['Device Model', '裝置型號', (row) => safeCell(row.model)];
const group: Column = ['Group', '群組', (row) => safeCell(row.group_name)];
const notes: Column = ['Notes', '備註', (row) => safeCell(row.note)];
const carrier: Column = ['Carrier', '電信業者', (row) => safeCell(row.carrier)];
const expires: Column = ['Expiration Date', '到期日', (row) => americanDay(row.expires_on)];
const facts = textFacts.flatMap(({ key, exported }): Column[] =>
  exported === undefined ? [] : [[exported['en-US'], exported['zh-TW'], (row) => identifierCell(row[key])]],
);

/** The columns of a device list as CSV, as its screen shows them: DEV-01, OGL-01, OVW-05 or SVC-01 (SHR-08). */
export function deviceExportColumns(layout: ExportLayout, context: EvaluationContext): readonly Column[] {
  const service: Column = ['Service Status', '服務狀態', (row) => states[stateOf(row, context)]];
  const seconds = context.now.getTime() / 1_000;
  const layouts: Record<ExportLayout, readonly Column[]> = {
    devices: [
      numberColumn,
      service,
      ['Online Status', '連線狀態', (row) => presences[row.presence]],
      serial,
      vehicle,
      model,
      ['Uptime', '運作時間', (row, _, language) => uptimeText(uptimeOf(row, seconds), units[language])],
      group,
      ['Firmware', '韌體', (row) => safeCell(row.firmware)],
      ['Config File', '設定檔', (row) => safeCell(row.config)],
      ['MAC', 'MAC', (row) => identifierCell(row.mac)],
      carrier,
      ['Start Date', '開始日期', (row) => americanDay(row.started_on)],
      expires,
      notes,
      ...facts,
    ],
    service: [numberColumn, serial, service, expires, group, notes],
    organizations: [numberColumn, service, expires, serial, model, ['Org', '組織', (row) => safeCell(row.organization_name)]],
    sims: [
      numberColumn,
      serial,
      vehicle,
      carrier,
      ['IMSI', 'IMSI', (row) => identifierCell(row.imsi)],
      ['ICCID', 'ICCID', (row) => identifierCell(row.iccid)],
      ['MTN', 'MTN', (row) => identifierCell(row.mtn)],
      notes,
    ],
  };
  return layouts[layout];
}

function uptimeOf({ up_from }: ExportedRow, now: number): number | null {
  return up_from === null ? null : Math.max(0, Math.floor(now - up_from));
}

/** Days, hours, minutes and seconds (DEV-01). */
function uptimeText(seconds: number | null, names: readonly string[]): string {
  if (seconds === null) return '';
  const parts = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part, index) => `${part}${names[index]!}`).join(' ');
}
