import { type CountedPresence, devices, type DiagnosisKind, type Language, type SubscriptionState } from '@highline/contract';
import { sql } from 'kysely';
import {
  chosenIds,
  inLanguage,
  tagsCell,
  timeIn,
  type Bilingual,
  type CopiedCell,
  type CopiedColumn,
} from '../../platform/csv/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { TextKey } from '../router-state/index.ts';
import { subscriptionDay, subscriptionIs, subscriptionMatches } from '../subscriptions/index.ts';
import { firstDiagnosis } from './device-diagnosis.queries.ts';
import { estimatedPosition, positionTime } from './device-position.queries.ts';
import type { DeviceRow, LiveContext } from './device.dto.ts';

export type ExportLayout = 'devices' | 'organizations' | 'sims' | 'service';

/** A column of a file: the value that it reads, and its cell from that. */
interface ExportColumn {
  readonly title: Bilingual;
  readonly reads: Fragment;
  /** Another table that it reads. */
  readonly join?: Fragment;
  readonly cell: CopiedCell;
  /** Of its cells in a workbook. */
  readonly kind?: 'number' | 'time';
}

/** What a file reads, and its columns over the values of that. */
export interface DeviceExport {
  readonly read: { readonly columns: Fragment; readonly joins: Fragment };
  readonly columns: readonly CopiedColumn[];
}

/** How a file is written. */
export interface ExportStyle {
  /** English by default. */
  readonly language?: Language | undefined;
  /** Of its instants; UTC by default. */
  readonly zone?: string | undefined;
}

const states: Record<SubscriptionState | 'starting', Bilingual> = {
  subscribed: ['Subscribed', '已訂閱'],
  expiring: ['Expiring', '即將到期'],
  'not-subscribed': ['Not Subscribed', '未訂閱'],
  starting: ['Starts later', '尚未開始'],
};
const presences: Record<CountedPresence, Bilingual> = {
  online: ['Online', '線上'],
  offline: ['Offline', '離線'],
  unknown: ['Unknown', '未知'],
  never: ['Never connected', '從未連線'],
  parked: ['Parked (ignition off)', '停放中（已熄火）'],
  planned: ['Planned work', '計畫中的作業'],
};
const diagnosisNames: Record<DiagnosisKind, Bilingual> = {
  identity: ['Identity used twice', '身分重複使用'],
  supply: ['Supply voltage too low', '供電電壓過低'],
  antenna: ['Antenna or cable suspected', '疑似天線或線材故障'],
  restarts: ['Restarts by itself', '自行重新啟動'],
  sim: ['SIM or APN problem', 'SIM 卡或 APN 問題'],
  storage: ['No memory for eSIMs', 'eSIM 記憶體不足'],
  heat: ['Too hot', '溫度過高'],
  unstable: ['Goes on and off', '反覆上線與離線'],
  drops: ['Loses the connection often', '經常斷線'],
  position: ['Positions rejected', '定位資料被拒絕'],
  place: ['Weak place', '訊號不良地點'],
  clock: ['Wrong clock', '時鐘錯誤'],
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

/** As `date_part`, which is twice as fast as `extract`: that makes a numeric. */
const epoch = (moment: Fragment): Fragment => sql`date_part('epoch', ${moment})`;
const column = (name: keyof DeviceRow | TextKey): Fragment => sql.ref(`d.${name}`);
const text = (title: Bilingual, reads: Fragment, join?: Fragment): ExportColumn => ({
  title,
  reads,
  ...(join === undefined ? {} : { join }),
  cell: 'text',
});
const identifier = (title: Bilingual, name: 'serial' | 'mac' | TextKey): ExportColumn => ({
  title,
  reads: column(name),
  cell: 'identifier',
});
/** An empty text as NULL, which is written without quotes. */
const orNull = (name: 'vehicle_number' | 'note') => sql`nullif(${column(name)}, '')`;

/**
 * A device list as CSV, as its screen shows it: DEV-01, OGL-01, OVW-05 or SVC-01 (SHR-08).
 * @throws DomainError `request.invalid` for an unknown zone
 */
export function deviceExport(ids: readonly devices.DeviceExportColumn[], context: LiveContext, style: ExportStyle): DeviceExport {
  const all = columnsIn(context, style.language ?? 'en-US', timeIn(style.zone, style.language));
  const chosen = ids.filter((id) => id !== 'number').map((id) => all[id]);
  const joins = chosen.flatMap(({ join }) => join ?? []);
  return {
    read: { columns: sql.join(chosen.map(({ reads }) => reads)), joins: sql.join(joins, sql` `) },
    columns: ids.map((id) => (id === 'number' ? { title: ['#', '#'], cell: id } : all[id])),
  };
}

function columnsIn(
  context: LiveContext,
  language: Language,
  at: (moment: Date) => string,
): Record<Exclude<devices.DeviceExportColumn, 'number'>, ExportColumn> {
  const label = (labels: Bilingual) => inLanguage(labels, language);
  const day = subscriptionDay(context.now, context.expiringDays);
  return {
    service: {
      title: ['Service Status', '服務狀態'],
      reads: sql`case when ${subscriptionIs('subscribed', day)} then ${label(states.subscribed)}
        when ${subscriptionIs('expiring', day)} then ${label(states.expiring)}
        when ${subscriptionMatches('starting', day)} then ${label(states.starting)} else ${label(states['not-subscribed'])} end`,
      cell: 'plain',
    },
    presence: {
      title: ['Online Status', '連線狀態'],
      reads: sql`case counted_presence(d.presence, d.presence_since, d.ignition, d.is_planned) when 'online' then ${label(presences.online)}
        when 'offline' then ${label(presences.offline)} when 'never' then ${label(presences.never)}
        when 'parked' then ${label(presences.parked)} when 'planned' then ${label(presences.planned)}
        else ${label(presences.unknown)} end`,
      cell: 'plain',
    },
    serial: identifier(['Device Serial#', '裝置序號'], 'serial'),
    vehicle: { title: ['Vehicle#', '車輛編號'], reads: orNull('vehicle_number'), cell: 'identifier' },
    model: text(['Device Model', '裝置型號'], column('model')),
    uptime: {
      title: ['Uptime', '運作時間'],
      reads: sql`floor(date_part('epoch', ${context.now}::timestamptz - d.up_since))::int`,
      cell: (seconds) => (seconds === '' ? '' : uptimeText(Math.max(0, Number(seconds)), units[language])),
    },
    group: {
      title: ['Group', '群組'],
      reads: sql`xg.name`,
      join: sql`left join groups xg on xg.organization_id = d.organization_id and xg.key = d.group_key`,
      cell: 'identifier',
    },
    firmware: text(['Firmware', '韌體'], column('firmware')),
    config: text(['Config File', '設定檔'], column('config')),
    mac: identifier(['MAC', 'MAC'], 'mac'),
    carrier: text(['Carrier', '電信業者'], column('carrier')),
    started: { title: ['Start Date', '開始日期'], reads: sql`d.started_on`, cell: 'plain', kind: 'time' },
    expires: { title: ['Expiration Date', '到期日'], reads: sql`d.expires_on`, cell: 'plain', kind: 'time' },
    note: text(['Notes', '備註'], orNull('note')),
    tags: {
      title: ['Tags', '標籤'],
      reads: sql`case when d.tags <> '{}' then to_json(d.tags) end`,
      cell: (tags) => (tags === '' ? '' : tagsCell(JSON.parse(tags) as string[])),
    },
    organization: text(['Org', '組織'], sql`xo.name`, sql`left join organizations xo on xo.id = d.organization_id`),
    lastSeen: {
      title: ['Last contact', '最後連線'],
      reads: sql`concat(d.router_id, ' ', ${epoch(sql`xc.last_contact_at`)})`,
      join: sql`left join router_contacts xc on xc.router_id = d.router_id`,
      cell: (value) => {
        const [router, stored] = value.split(' ') as [string, string];
        return momentCell(latestContact(router, momentOf(stored), context), at);
      },
      kind: 'time',
    },
    technology: text(['Network', '網路'], column('technology')),
    cell_id: identifier(['Cell ID', '基地台 ID'], 'cell_id'),
    imsi: identifier(['IMSI', 'IMSI'], 'imsi'),
    iccid: identifier(['ICCID', 'ICCID'], 'iccid'),
    imei: identifier(['IMEI', 'IMEI'], 'imei'),
    eid: identifier(['EID', 'EID'], 'eid'),
    mtn: identifier(['MTN', 'MTN'], 'mtn'),
    added: {
      title: ['Added', '新增時間'],
      reads: epoch(sql`d.created_at`),
      cell: (added) => momentCell(momentOf(added), at),
      kind: 'time',
    },
    health: { title: ['Health', '健康狀況'], reads: sql`d.health`, cell: 'plain', kind: 'number' },
    diagnosis: {
      title: ['Diagnosis', '問題診斷'],
      reads: firstDiagnosis,
      cell: (kind) => (kind === '' ? '' : label(diagnosisNames[kind as DiagnosisKind])),
    },
    position: {
      title: ['Position', '位置'],
      reads: sql`concat(${epoch(positionTime)}, ' ', ${context.showsPositions ? estimatedPosition : sql`null`})`,
      cell: (value) => {
        const [position] = value.split(' ', 1) as [string];
        const text = positionText(momentOf(position), context.now, label, at);
        const estimate = value.slice(position.length + 1);
        return estimate === '' ? text : `${text}; ${label(estimateText(JSON.parse(estimate) as devices.EstimatedPosition))}`;
      },
      kind: 'time',
    },
  };
}

/** The time of the newest position, or why it says nothing about now (POS-07). */
function positionText(
  moment: Date | null,
  now: Date,
  label: (labels: Bilingual) => string,
  at: (moment: Date) => string,
): string {
  if (moment === null) return label(['Never had a position', '從未定位']);
  const isOld = now.getTime() - moment.getTime() > devices.OLD_POSITION_HOURS * 3_600_000;
  return isOld ? label(['No position for 24 h', '24 小時內未定位']) : at(moment);
}

/** Where it probably is, marked as estimated (SAY-08). */
function estimateText({ latitude, longitude, radius }: devices.EstimatedPosition): Bilingual {
  const place = `${latitude}, ${longitude} ± ${radius} m`;
  return [`estimated from the serving cell: ${place}`, `依服務基地台推估：${place}`];
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
