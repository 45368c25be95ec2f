import { writeIsoDay, type Language, type outages as calls, type PresenceReason } from '@highline/contract';
import { identifierCell, inLanguage, safeCell, timeIn, type Bilingual, type ListColumns } from '../../platform/csv/index.ts';
import type { OutageTime } from './outages.period.ts';
import type { PlacedOutage } from './outages.places.ts';
import { differenceOf, shareOf, type SumRow } from './outages.queries.ts';

/** What a time without a connection was. */
export const kindTexts: Readonly<Record<calls.OutageKind, Bilingual>> = {
  lost: ['Connection lost', '斷線'],
  closed: ['Ended by the router', '路由器自行中斷'],
  server: ['Server or maintenance', '伺服器或維護'],
  parked: ['Parked, ignition off', '停放中（已熄火）'],
  planned: ['Planned work', '計畫中的作業'],
};

/** Why a connection ended, as its outage says it. */
export const reasonTexts: Readonly<Record<PresenceReason, Bilingual>> = {
  connected: ['Connected', '已連線'],
  replaced: ['Connected again', '重新連線'],
  cloned: ['Identity used twice', '身分重複使用'],
  'serial-mismatch': ['Another serial number', '序號不符'],
  'no-answer': ['No answer', '無回應'],
  'closed-by-router': ['Closed by the router', '由路由器關閉'],
  'connection-lost': ['Connection broke', '連線中斷'],
  disconnected: ['Closed by the server', '由伺服器關閉'],
  'protocol-fault': ['Invalid messages', '訊息格式錯誤'],
  flooding: ['Too many messages', '訊息過多'],
  'server-restarted': ['Server restarted', '伺服器重新啟動'],
  'not-seen-since-restart': ['Not back after a restart of the server', '伺服器重新啟動後未再連線'],
};

/** Since when there are outages, or coverage, for a file about a period that begins before. */
export function keptLines({ kept }: OutageTime, language: Language, of: 'outages' | 'coverage' = 'outages'): string[] {
  if (kept === undefined) return [];
  const day = writeIsoDay(kept.since.toISOString().slice(0, 10), language);
  const [english, chinese] = keptNames[of];
  const text: Bilingual = kept.isOfSome
    ? [
        `Some organizations keep ${english} since ${day} (UTC); earlier time of theirs is not counted`,
        `部分組織的${chinese}自 ${day} 起保留（UTC），更早的時間不計入`,
      ]
    : [
        `${english[0]!.toUpperCase()}${english.slice(1)} ${of === 'outages' ? 'are' : 'is'} kept since ${day} (UTC); earlier time is not counted`,
        `${chinese}自 ${day} 起保留（UTC），更早的時間不計入`,
      ];
  return [inLanguage(text, language)];
}
const keptNames = { outages: ['outages', '斷線紀錄'], coverage: ['coverage', '訊號涵蓋資料'] } as const;

const number = (value: number | null, decimals: number) => (value === null ? '' : value.toFixed(decimals));
/** Seconds as minutes with a decimal. */
const minutes = (seconds: number) => number(seconds / 60, 1);

/** The columns of a file of outages. @param now the end of those that go on @param zone of their times */
export function outageColumns(
  now: Date,
  zone: string,
  language?: Language,
): ListColumns<(typeof calls.outageColumns)[number], PlacedOutage> {
  const time = timeIn(zone, language);
  return {
    name: ['Vehicle', '車輛', (row) => identifierCell(row.name)],
    serial: ['Serial number', '序號', (row) => identifierCell(row.serial)],
    org: ['Organization', '組織', (row) => safeCell(row.org_name)],
    from: ['From', '開始', (row) => time(row.began_at), 'time'],
    until: ['Until', '結束', (row) => (row.ended_at === null ? '' : time(row.ended_at)), 'time'],
    minutes: [
      'Minutes',
      '分鐘數',
      (row) => minutes(((row.ended_at ?? now).getTime() - row.began_at.getTime()) / 1_000),
      'number',
    ],
    kind: ['Kind', '類型', (row) => kindTexts[row.kind]],
    reason: ['Reason', '原因', (row) => reasonTexts[row.reason]],
    carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
    technology: ['Technology', '網路技術', (row) => safeCell(row.technology)],
    servingCell: ['Serving cell', '服務基地台', (row) => identifierCell(row.serving_cell)],
    rsrp: ['RSRP before (dBm)', '斷線前 RSRP（dBm）', (row) => number(row.rsrp, 0), 'number'],
    place: ['Last place', '最後位置', (row) => safeCell(row.place)],
    latitude: ['Latitude', '緯度', (row) => number(row.latitude, 5), 'number'],
    longitude: ['Longitude', '經度', (row) => number(row.longitude, 5), 'number'],
  };
}

/** The columns of a file of sums. */
export const sumColumns: ListColumns<(typeof calls.sumColumns)[number], SumRow> = {
  name: ['Name', '名稱', (row) => (row.name === '' ? ['Not known', '未知'] : identifierCell(row.name))],
  org: ['Organization', '組織', (row) => safeCell(row.org_name)],
  outages: ['Outages', '斷線次數', (row) => String(row.outages), 'number'],
  minutes: ['Minutes lost', '中斷分鐘數', (row) => minutes(row.lost), 'number'],
  longestMinutes: ['Longest (minutes)', '最長（分鐘）', (row) => minutes(row.longest), 'number'],
  vehicles: ['Vehicles', '車輛數', (row) => String(row.vehicles), 'number'],
  excludedMinutes: ['Minutes not counted', '未計入分鐘數', (row) => minutes(row.excluded), 'number'],
  parkedMinutes: ['Of these parked', '其中停放', (row) => minutes(row.parked), 'number'],
  plannedMinutes: ['Of these planned', '其中計畫作業', (row) => minutes(row.planned), 'number'],
  share: ['Availability (%)', '可用率（%）', (row) => number(shareOf(row), 2), 'number'],
  target: ['Target (%)', '目標（%）', (row) => number(row.target, 2), 'number'],
  difference: ['Against the target', '與目標差距', (row) => number(differenceOf(row), 2), 'number'],
};
