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
} from '../../platform/csv/index.ts';
import { americanDay } from '../../kernel/calendar.ts';
import type { CopiedRow, Fragment } from '../../platform/listing/index.ts';
import type { TextKey } from '../router-state/index.ts';
import { positionTime } from './device-position.queries.ts';
import { stateOf, type DeviceRow, type LiveContext } from './device.dto.ts';

export type ExportLayout = 'devices' | 'organizations' | 'sims' | 'service';
type Cell = string | Bilingual;

/** A column of a file: what it reads, and its cell from these values, which are texts; NULL is the empty text. */
interface ExportColumn {
  readonly title: Bilingual;
  readonly reads: readonly Fragment[];
  /** Another table that it reads. */
  readonly join?: Fragment;
  cell(language: keyof typeof units, ...values: string[]): Cell;
}

/** What a file reads, and its columns over the rows of that. */
export interface DeviceExport {
  readonly read: { readonly columns: Fragment; readonly joins: Fragment };
  readonly columns: readonly CsvColumn<CopiedRow>[];
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

const epoch = (moment: Fragment): Fragment => sql`extract(epoch from ${moment})::float8`;
const column = (name: keyof DeviceRow | TextKey): Fragment => sql.ref(`d.${name}`);
const text = (title: Bilingual, read: Fragment, join?: Fragment): ExportColumn => ({
  title,
  reads: [read],
  ...(join === undefined ? {} : { join }),
  cell: (_, value) => safeCell(value),
});
const identifier = (title: Bilingual, name: 'serial' | 'vehicle_number' | 'mac' | TextKey): ExportColumn => ({
  title,
  reads: [column(name)],
  cell: (_, value) => identifierCell(value),
});

/**
 * A device list as CSV, as its screen shows it: DEV-01, OGL-01, OVW-05 or SVC-01 (SHR-08).
 * @throws DomainError `request.invalid` for an unknown zone
 */
export function deviceExport(
  ids: readonly devices.DeviceExportColumn[],
  context: LiveContext,
  zone: string | undefined,
): DeviceExport {
  const all = columnsIn(context, timeIn(zone));
  const joins: Fragment[] = [sql``];
  const reads: Fragment[] = [];
  const columns = ids.map((id): CsvColumn<CopiedRow> => {
    if (id === 'number') return numberColumn;
    const { title, reads: own, join, cell } = all[id];
    const first = reads.push(...own) - own.length;
    if (join !== undefined) joins.push(join);
    if (own.length === 1) return [...title, (row, _, language) => cell(language, row[first]!)];
    return [...title, (row, _, language) => cell(language, ...row.slice(first, first + own.length))];
  });
  return { read: { columns: sql.join(reads), joins: sql.join(joins, sql` `) }, columns };
}

function columnsIn(
  context: LiveContext,
  at: (moment: Date) => string,
): Record<Exclude<devices.DeviceExportColumn, 'number'>, ExportColumn> {
  const now = context.now.getTime() / 1_000;
  const stateLabel = createStateLabel(context);
  return {
    service: {
      title: ['Service Status', '服務狀態'],
      reads: [sql`d.started_on`, sql`d.expires_on`],
      cell: (_, started, expires) => stateLabel(started, expires),
    },
    presence: {
      title: ['Online Status', '連線狀態'],
      reads: [sql`d.presence`],
      cell: (_, presence) => presences[presence as DeviceRow['presence']],
    },
    serial: identifier(['Device Serial#', '裝置序號'], 'serial'),
    vehicle: identifier(['Vehicle#', '車輛編號'], 'vehicle_number'),
    model: text(['Device Model', '裝置型號'], column('model')),
    uptime: {
      title: ['Uptime', '運作時間'],
      reads: [epoch(sql`d.up_since`)],
      cell: (language, since) => (since === '' ? '' : uptimeText(Math.max(0, Math.floor(now - Number(since))), units[language])),
    },
    group: text(
      ['Group', '群組'],
      sql`xg.name`,
      sql`left join groups xg on xg.organization_id = d.organization_id and xg.key = d.group_key`,
    ),
    firmware: text(['Firmware', '韌體'], column('firmware')),
    config: text(['Config File', '設定檔'], column('config')),
    mac: identifier(['MAC', 'MAC'], 'mac'),
    carrier: text(['Carrier', '電信業者'], column('carrier')),
    started: { title: ['Start Date', '開始日期'], reads: [sql`d.started_on`], cell: dayCell },
    expires: { title: ['Expiration Date', '到期日'], reads: [sql`d.expires_on`], cell: dayCell },
    note: text(['Notes', '備註'], column('note')),
    tags: {
      title: ['Tags', '標籤'],
      reads: [sql`case when d.tags <> '{}' then to_json(d.tags) end`],
      cell: (_, tags) => (tags === '' ? '' : tagsCell(JSON.parse(tags) as string[])),
    },
    organization: text(['Org', '組織'], sql`xo.name`, sql`left join organizations xo on xo.id = d.organization_id`),
    lastSeen: {
      title: ['Last contact', '最後連線'],
      reads: [sql`d.router_id`, epoch(sql`xc.last_contact_at`)],
      join: sql`left join router_contacts xc on xc.router_id = d.router_id`,
      cell: (_, router, stored) => momentCell(latestContact(router, momentOf(stored), context), at),
    },
    technology: text(['Network', '網路'], column('technology')),
    cell_id: identifier(['Cell ID', '基地台 ID'], 'cell_id'),
    imsi: identifier(['IMSI', 'IMSI'], 'imsi'),
    iccid: identifier(['ICCID', 'ICCID'], 'iccid'),
    imei: identifier(['IMEI', 'IMEI'], 'imei'),
    eid: identifier(['EID', 'EID'], 'eid'),
    mtn: identifier(['MTN', 'MTN'], 'mtn'),
    added: {
      title: ['Added', '加入時間'],
      reads: [epoch(sql`d.created_at`)],
      cell: (_, added) => momentCell(momentOf(added), at),
    },
    health: { title: ['Health', '健康狀況'], reads: [sql`d.health`], cell: (_, health) => health },
    position: {
      title: ['Position', '位置'],
      reads: [epoch(positionTime)],
      cell: (_, position) => positionText(momentOf(position), context.now, at),
    },
  };
}

/** The label of a subscription's state. Adjacent rows often have the same dates. */
function createStateLabel(context: LiveContext): (started: string, expires: string) => Bilingual {
  let last = { started: '', expires: '', label: states['not-subscribed'] };
  return (started, expires) => {
    if (started !== last.started || expires !== last.expires) {
      const state = stateOf({ started_on: started || null, expires_on: expires || null }, context);
      last = { started, expires, label: states[state] };
    }
    return last.label;
  };
}

function dayCell(_: unknown, day: string): string {
  return day === '' ? '' : americanDay(day);
}

/** The time of the newest position, or why it says nothing about now (POS-07). */
function positionText(moment: Date | null, now: Date, at: (moment: Date) => string): Cell {
  if (moment === null) return ['Never had a position', '從未定位'];
  const isOld = now.getTime() - moment.getTime() > devices.OLD_POSITION_HOURS * 3_600_000;
  return isOld ? ['No position for 24 h', '24 小時內未定位'] : at(moment);
}

/** @param seconds epoch seconds as text, or empty */
function momentOf(seconds: string): Date | null {
  return seconds === '' ? null : new Date(Number(seconds) * 1_000);
}

function momentCell(moment: Date | null, at: (moment: Date) => string): string {
  return moment === null ? '' : at(moment);
}

/** The last contact from memory, if the router is connected to this process. */
function latestContact(router: string, stored: Date | null, { contacts }: LiveContext): Date | null {
  const latest = contacts.latest(router)?.at;
  return latest === undefined || (stored !== null && stored > latest) ? stored : latest;
}

/** Days, hours, minutes and seconds (DEV-01). */
function uptimeText(seconds: number, [d, h, m, s]: (typeof units)[keyof typeof units]): string {
  return `${Math.floor(seconds / 86_400)}${d} ${Math.floor(seconds / 3_600) % 24}${h} ${Math.floor(seconds / 60) % 60}${m} ${seconds % 60}${s}`;
}
