import type { esims, rollouts } from '@highline/contract';
import {
  identifierCell,
  numberColumn,
  safeCell,
  timeIn,
  type Bilingual,
  type CsvColumn,
  type ListColumns,
} from '../../platform/csv/index.ts';
import { importColumns } from './imported-rows.ts';
import type { ListedRow } from './profile.dto.ts';

const statuses: Record<esims.ProfileStatus, Bilingual> = {
  'In Use': ['In Use', '使用中'],
  Activated: ['Activated', '已啟用'],
  'Downloading...': ['Downloading...', '下載中…'],
  'Assigning...': ['Assigning...', '指派中…'],
  'Deleting...': ['Deleting...', '刪除中…'],
  'Fail to download': ['Fail to download', '下載失敗'],
  'Fail to activate': ['Fail to activate', '啟用失敗'],
  'Out of memory': ['Out of memory', '記憶體不足'],
  'Not Purchased': ['Not Purchased', '尚未購買'],
};

/** What a step waits for (WIN-02), as the console says it. */
const waits: Readonly<Record<`window-${rollouts.WindowWait}`, Bilingual>> = {
  'window-hours': ['Waits for its hours', '等候執行時段'],
  'window-ignition': ['Waits until the ignition has been off long enough', '等候車輛熄火足夠時間'],
  'window-moving': ['Waits until the vehicle stands still', '等候車輛停止移動'],
  'window-geofence': ['Waits until the vehicle is inside a geofence', '等候車輛進入指定的地理圍欄'],
  'window-voltage': ['Waits for enough voltage', '等候電壓足夠'],
  'window-signal': ['Waits for a better signal', '等候訊號改善'],
  'window-uplink': ['Waits for another uplink', '等候切換連線方式'],
  'window-no-ignition': ['Waits, but this router does not report the ignition', '等候中，但此路由器沒有回報點火狀態'],
  'window-no-position': ['Waits, but this router has no current position', '等候中，但此路由器沒有目前的位置'],
  'window-no-geofence': ['Waits, but its geofences were deleted', '等候中，但其地理圍欄已刪除'],
  'window-no-voltage': ['Waits, but this router reports no voltage', '等候中，但此路由器沒有回報電壓'],
  'window-no-signal': ['Waits, but this router reports no signal', '等候中，但此路由器沒有回報訊號'],
  'window-no-uplink': ['Waits, but this router does not report its uplinks', '等候中，但此路由器沒有回報對外連線'],
};

/** Why a step waits, or failed, by the code before the colon; what the router added follows it. */
const reasons: ReadonlyMap<string, Bilingual> = new Map([
  ...Object.entries(waits),
  ['no-answer', ['The router did not answer', '路由器沒有回應']],
  ['unsupported', ['This router does not support eSIMs', '此路由器不支援 eSIM']],
  ['out-of-memory', ['No space left on the eSIM', 'eSIM 空間不足']],
  ['download-failed', ['The download failed', '下載失敗']],
  ['iccid-mismatch', ['The ICCID does not match this eSIM', 'ICCID 與此 eSIM 不符']],
  ['unreachable', ['The download server could not be reached', '無法連線到下載伺服器']],
  ['invalid-code', ['The activation code was not accepted', '啟用碼未被接受']],
  ['wrong-confirmation', ['The confirmation code was not accepted', '確認碼未被接受']],
  ['activation-failed', ['No connection; switched back to the previous eSIM', '無法連線，已切回先前的 eSIM']],
  ['apn-returned', ['The router does not use this APN', '路由器未使用此 APN']],
  ['delete-failed', ['The router could not delete this eSIM', '路由器無法刪除此 eSIM']],
  ['eid-mismatch', ['The router reports a different EID', '路由器回報的 EID 不同']],
  ['gone', ['This eSIM is no longer on the router', '此 eSIM 已不在路由器上']],
  ['offline', ['Waits until the router is online', '等候路由器連線']],
  [
    'not-allowed',
    ['Not switched: the user who requested it is no longer allowed to do this', '未切換：要求切換的使用者已無權執行'],
  ],
  ['expired', ['Not switched: what it waits for did not come within a day', '未切換：一天內未符合切換條件']],
  ['preloaded', ['The router keeps its preloaded eSIM', '路由器保留預載的 eSIM']],
]);

/** A stored reason in both languages: `code`, or `code: what the router added`; others as they are. */
function reasonCell(stored: string): Bilingual {
  const [code = '', ...rest] = stored.split(':');
  const text = reasons.get(code.trim());
  if (text === undefined) return [safeCell(stored), safeCell(stored)];
  const added = rest.join(':').trim();
  return added === '' ? text : [safeCell(`${text[0]}: ${added}`), safeCell(`${text[1]}：${added}`)];
}

const at = { 'en-US': timeIn('UTC'), 'zh-TW': timeIn('UTC', 'zh-TW') };

/**
 * The columns of eSIMs_export, as the list shows them (SIM-01, SIM-02, SHR-08). Without activation codes, because files are
 * passed on.
 */
export const exportColumns: ListColumns<(typeof esims.profileColumns)[number], ListedRow> = {
  number: numberColumn,
  status: ['Status', '狀態', (row) => statuses[row.status]],
  reason: ['Reason', '原因', (row) => reasonCell(row.reason)],
  serial: ['Device Serial#', '裝置序號', (row) => identifierCell(row.serial)],
  vehicle: ['Vehicle#', '車輛編號', (row) => identifierCell(row.vehicle ?? '')],
  eid: ['EID', 'EID', (row) => identifierCell(row.eid)],
  name: ['eSIM Name', 'eSIM 名稱', (row) => safeCell(row.name)],
  carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
  signal: ['Signal (dBm)', '訊號（dBm）', (row) => (row.signal === null ? '' : String(Math.round(row.signal))), 'number'],
  iccid: ['ICCID', 'ICCID', (row) => identifierCell(row.iccid)],
  cycle: ['Bytes this cycle', '本週期位元組', (row) => String(row.cycle ?? ''), 'number'],
  apn: ['APN 1', 'APN 1', (row) => safeCell(row.apn)],
  apn2: ['APN 2', 'APN 2', (row) => safeCell(row.apn2)],
  priority: ['Priority', '優先順序', (row) => String(row.priority), 'number'],
  updated: ['Updated (UTC)', '更新時間（UTC）', (row, _, language) => at[language](row.updated_at), 'time'],
};

/** The columns of the template: those of an import (SIM-04). */
export function exampleColumns(): CsvColumn<Record<keyof typeof importColumns, string>>[] {
  return Object.entries(importColumns).map(([column, title]) => [
    title,
    title,
    (row) => identifierCell(row[column as keyof typeof importColumns]),
  ]);
}

/** A router for the rows of the example. */
export interface ExampleRouter {
  readonly serial: string;
  readonly eid: string;
}

/** The template's rows, about routers of the organization where it has any (two at most), so that they can be imported after an edit. */
export function exampleRowsOf(routers: readonly ExampleRouter[]): Record<keyof typeof importColumns, string>[] {
  return exampleRows.map((row, index) => ({ ...row, ...(routers[index] ?? routers[0]) }));
}

/** A preloaded profile and another one, with numbers that no network has. */
const exampleRows: readonly Record<keyof typeof importColumns, string>[] = [
  {
    serial: 'SN0001',
    eid: '89049099990000000000000000000104',
    ac: 'preload',
    iccid: '89999990000000000014',
    apn1: 'internet',
    apn2: '',
    name: 'preloaded_eSIM',
  },
  {
    serial: 'SN0001',
    eid: '89049099990000000000000000000104',
    ac: '1$smdp.example.com$MATCHING-ID',
    iccid: '89999990000000000022',
    apn1: 'fleet.example',
    apn2: '',
    name: 'Second carrier',
  },
];
