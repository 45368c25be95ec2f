import { devices, type SubscriptionState } from '@highline/contract';
import { sql } from 'kysely';
import {
  chosenIds,
  identifierCell,
  numberColumn,
  safeCell,
  tagsCell,
  timeIn,
  type Bilingual,
  type CsvColumn,
  type ListColumns,
} from '../../platform/csv/index.ts';
import type { Contacts } from '../../platform/ports/contacts.ts';
import { americanDay } from '../../kernel/calendar.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { textFacts, type TextKey } from '../router-state/index.ts';
import { positionTime } from './device-position.queries.ts';
import { stateOf, type DeviceRow, type LiveContext } from './device.dto.ts';

export type ExportLayout = 'devices' | 'organizations' | 'sims' | 'service';
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
  | 'tags'
  | 'created_at'
  | 'router_id'
  | 'group_name'
  | 'organization_name'
  | 'last_seen_at'
  | 'health'
  | 'position_at'
  | TextKey
> & {
  /** Epoch seconds of the start. */
  readonly up_from: number | null;
};

const always = sql`d.serial, d.router_id, d.vehicle_number, d.presence, extract(epoch from d.up_since)::float8 as up_from, d.mac,
  d.started_on::text as started_on, d.expires_on::text as expires_on, d.note, d.tags, d.created_at, d.health,
  ${sql.join(textFacts.map(({ key }) => sql.ref(`d.${key}`)))}`;

/** Values of other tables, joined for the columns that need them. */
const joined: Partial<Record<devices.DeviceExportColumn, { readonly column: Fragment; readonly join: Fragment }>> = {
  group: {
    column: sql`xg.name as group_name`,
    join: sql`left join groups xg on xg.organization_id = d.organization_id and xg.key = d.group_key`,
  },
  organization: {
    column: sql`xo.name as organization_name`,
    join: sql`left join organizations xo on xo.id = d.organization_id`,
  },
  lastSeen: {
    column: sql`xc.last_contact_at as last_seen_at`,
    join: sql`left join router_contacts xc on xc.router_id = d.router_id`,
  },
  position: { column: sql`${positionTime} as position_at`, join: sql`` },
};

/** What to read for these columns. */
export function exportedColumns(ids: readonly devices.DeviceExportColumn[]): {
  readonly columns: Fragment;
  readonly joins: Fragment;
} {
  const others = ids.flatMap((id) => joined[id] ?? []);
  return {
    columns: sql.join([always, ...others.map(({ column }) => column)]),
    joins: sql.join([sql``, ...others.map(({ join }) => join)], sql` `),
  };
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

/** The columns of each layout without a choice of columns. */
const usual: Record<ExportLayout, readonly devices.DeviceExportColumn[]> = {
  devices: [
    'number',
    'service',
    'presence',
    'serial',
    'vehicle',
    'model',
    'uptime',
    'group',
    'firmware',
    'config',
    'mac',
    'carrier',
    'started',
    'expires',
    'note',
    'tags',
    'cell_id',
  ],
  organizations: ['number', 'service', 'expires', 'serial', 'model', 'organization', 'tags'],
  sims: ['number', 'serial', 'vehicle', 'carrier', 'imsi', 'iccid', 'mtn', 'note'],
  service: ['number', 'serial', 'service', 'expires', 'group', 'note'],
};

/** The columns of a file: those that the call names, else those of the layout. */
export function exportedIds(layout: ExportLayout, named: string | undefined): readonly devices.DeviceExportColumn[] {
  return chosenIds(named, usual[layout]);
}

const identifier = (title: string, key: 'imsi' | 'iccid' | 'imei' | 'eid' | 'mtn'): Column => [
  title,
  title,
  (row) => identifierCell(row[key]),
];

/** The columns of a device list as CSV, as its screen shows them: DEV-01, OGL-01, OVW-05 or SVC-01 (SHR-08). */
export function deviceExportColumns(
  ids: readonly devices.DeviceExportColumn[],
  context: LiveContext,
  zone: string | undefined,
): readonly Column[] {
  const seconds = context.now.getTime() / 1_000;
  const at = timeIn(zone);
  const all: ListColumns<devices.DeviceExportColumn, ExportedRow> = {
    number: numberColumn,
    service: ['Service Status', '服務狀態', (row) => states[stateOf(row, context)]],
    presence: ['Online Status', '連線狀態', (row) => presences[row.presence]],
    serial: ['Device Serial#', '裝置序號', (row) => identifierCell(row.serial)],
    vehicle: ['Vehicle#', '車輛編號', (row) => identifierCell(row.vehicle_number)],
    model: ['Device Model', '裝置型號', (row) => safeCell(row.model)],
    uptime: ['Uptime', '運作時間', (row, _, language) => uptimeText(uptimeOf(row, seconds), units[language])],
    group: ['Group', '群組', (row) => safeCell(row.group_name)],
    firmware: ['Firmware', '韌體', (row) => safeCell(row.firmware)],
    config: ['Config File', '設定檔', (row) => safeCell(row.config)],
    mac: ['MAC', 'MAC', (row) => identifierCell(row.mac)],
    carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
    started: ['Start Date', '開始日期', (row) => americanDay(row.started_on)],
    expires: ['Expiration Date', '到期日', (row) => americanDay(row.expires_on)],
    note: ['Notes', '備註', (row) => safeCell(row.note)],
    tags: ['Tags', '標籤', (row) => tagsCell(row.tags)],
    organization: ['Org', '組織', (row) => safeCell(row.organization_name)],
    lastSeen: ['Last contact', '最後連線', (row) => timeOf(latestContact(row, context.contacts), at)],
    technology: ['Network', '網路', (row) => safeCell(row.technology)],
    cell_id: ['Cell ID', '基地台 ID', (row) => identifierCell(row.cell_id)],
    imsi: identifier('IMSI', 'imsi'),
    iccid: identifier('ICCID', 'iccid'),
    imei: identifier('IMEI', 'imei'),
    eid: identifier('EID', 'eid'),
    mtn: identifier('MTN', 'mtn'),
    added: ['Added', '加入時間', (row) => at(row.created_at)],
    health: ['Health', '健康狀況', (row) => (row.health === null ? '' : String(row.health))],
    position: ['Position', '位置', (row) => positionText(row.position_at, context.now, at)],
  };
  return ids.map((id) => all[id]);
}

/** The time of the newest position, or why it says nothing about now (POS-07). */
function positionText(moment: Date | null, now: Date, at: (moment: Date) => string): string | Bilingual {
  if (moment === null) return ['Never had a position', '從未定位'];
  const isOld = now.getTime() - moment.getTime() > devices.OLD_POSITION_HOURS * 3_600_000;
  return isOld ? ['No position for 24 h', '24 小時內未定位'] : at(moment);
}

function timeOf(moment: Date | null, at: (moment: Date) => string): string {
  return moment === null ? '' : at(moment);
}

/** The last contact from memory, if the router is connected to this process. */
function latestContact({ router_id: id, last_seen_at: stored }: ExportedRow, contacts: Contacts): Date | null {
  const latest = contacts.latest(id)?.at;
  return latest === undefined || (stored !== null && stored > latest) ? stored : latest;
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
