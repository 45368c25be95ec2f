import type { inventory } from '@highline/contract';
import { identifierCell, safeCell, type Bilingual, type ListColumns } from '../../platform/csv/index.ts';
import type { RouterRow } from './router.dto.ts';

const presences: Record<inventory.Router['presence'], Bilingual> = {
  online: ['Online', '線上'],
  offline: ['Offline', '離線'],
  unknown: ['Unknown', '未知'],
};

/** Columns of the inventory as CSV, without secrets; times are formatted by `formatTime` in the reader's zone. */
export function routerColumns(
  formatTime: (at: Date) => string,
): ListColumns<(typeof inventory.routerColumns)[number], RouterRow> {
  return {
    serial: ['Serial Number', '序號', (row) => identifierCell(row.serial)],
    mac: ['MAC', 'MAC', (row) => identifierCell(row.mac)],
    model: ['Model', '型號', (row) => safeCell(row.model)],
    endpoint: ['Endpoint ID', '端點識別碼', (row) => safeCell(row.endpoint_id)],
    organization: [
      'Organization',
      '組織',
      (row) => (row.organization_id === null ? ['In stock', '庫存中'] : safeCell(row.organization_name)),
    ],
    presence: ['Online Status', '連線狀態', (row) => presences[row.presence]],
    lastSeen: ['Last contact', '最後連線', (row) => (row.last_seen_at === null ? '' : formatTime(row.last_seen_at)), 'time'],
    created: ['Added', '加入時間', (row) => formatTime(row.created_at), 'time'],
  };
}
