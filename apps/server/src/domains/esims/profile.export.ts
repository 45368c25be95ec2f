import type { esims } from '@highline/contract';
import {
  identifierCell,
  numberColumn,
  safeCell,
  timeIn,
  type Bilingual,
  type CsvColumn,
  type ListColumns,
} from '../../platform/csv/index.ts';
import { importColumns } from './esims.import.ts';
import type { ProfileRow } from './profile.dto.ts';

const statuses: Record<esims.ProfileStatus, Bilingual> = {
  'In Use': ['In Use', '使用中'],
  Activated: ['Activated', '已啟用'],
  'Downloading...': ['Downloading...', '下載中...'],
  'Assigning...': ['Assigning...', '指派中...'],
  'Deleting...': ['Deleting...', '刪除中...'],
  'Fail to download': ['Fail to download', '下載失敗'],
  'Fail to activate': ['Fail to activate', '啟用失敗'],
  'Out of memory': ['Out of memory', '記憶體不足'],
  'Not Purchased': ['Not Purchased', '尚未購買'],
};
const at = timeIn('UTC');

/**
 * The columns of eSIMs_export, as the list shows them (SIM-01, SIM-02, SHR-08). Without activation codes, because files are
 * passed on.
 */
export const exportColumns: ListColumns<(typeof esims.profileColumns)[number], ProfileRow> = {
  number: numberColumn,
  status: ['Status', '狀態', (row) => statuses[row.status]],
  serial: ['Device Serial#', '裝置序號', (row) => identifierCell(row.serial)],
  eid: ['EID', 'EID', (row) => identifierCell(row.eid)],
  name: ['eSIM Name', 'eSIM 名稱', (row) => safeCell(row.name)],
  carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
  iccid: ['ICCID', 'ICCID', (row) => identifierCell(row.iccid)],
  apn: ['APN 1', 'APN 1', (row) => safeCell(row.apn)],
  apn2: ['APN 2', 'APN 2', (row) => safeCell(row.apn2)],
  priority: ['Priority', '優先順序', (row) => String(row.priority)],
  updated: ['Updated (UTC)', '更新時間（UTC）', (row) => at(row.updated_at)],
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
