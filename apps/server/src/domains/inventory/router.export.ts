import type { inventory } from '@highline/contract';
import { identifierCell, safeCell, type CsvColumn } from '../../platform/csv/index.ts';
import type { RouterRow } from './router.dto.ts';

export type Language = 'en-US' | 'zh-TW';

const messages = {
  'en-US': {
    serial: 'Serial Number',
    mac: 'MAC',
    model: 'Model',
    endpoint: 'Endpoint ID',
    organization: 'Organization',
    status: 'Online Status',
    seen: 'Last Seen',
    created: 'Added',
    stock: 'In stock',
    online: 'Online',
    offline: 'Offline',
    unknown: 'Unknown',
  },
  'zh-TW': {
    serial: '序號',
    mac: 'MAC',
    model: '型號',
    endpoint: '端點識別碼',
    organization: '組織',
    status: '連線狀態',
    seen: '最後連線',
    created: '加入時間',
    stock: '庫存',
    online: '上線',
    offline: '離線',
    unknown: '未知',
  },
} as const satisfies Record<Language, Record<string, string>>;

/** Columns of the inventory as CSV, without secrets; times are formatted by `formatTime` in the reader's zone. */
export function routerColumns(language: Language, formatTime: (at: Date) => string): CsvColumn<RouterRow>[] {
  const text = messages[language];
  const state: Record<inventory.Router['presence'], string> = text;
  return [
    { title: text.serial, cell: (row) => identifierCell(row.serial) },
    { title: text.mac, cell: (row) => identifierCell(row.mac) },
    { title: text.model, cell: (row) => safeCell(row.model) },
    { title: text.endpoint, cell: (row) => safeCell(row.endpoint_id) },
    { title: text.organization, cell: (row) => safeCell(row.organization_id === null ? text.stock : row.organization_name) },
    { title: text.status, cell: (row) => state[row.presence] },
    { title: text.seen, cell: (row) => (row.last_seen_at === null ? '' : formatTime(row.last_seen_at)) },
    { title: text.created, cell: (row) => formatTime(row.created_at) },
  ];
}
