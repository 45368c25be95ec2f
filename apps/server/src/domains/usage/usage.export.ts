import type { usage } from '@highline/contract';
import { identifierCell, safeCell, type ListColumns } from '../../platform/csv/index.ts';
import type { UsageListRow } from './usage.queries.ts';

/** The columns of usage_export; bytes as whole numbers, so that a spreadsheet can add them up. */
export const exportColumns: ListColumns<(typeof usage.usageColumns)[number], UsageListRow> = {
  name: ['SIM, vehicle or group', 'SIM、車輛或群組', (row) => identifierCell(row.name)],
  org: ['Organization', '組織', (row) => safeCell(row.org_name)],
  device: ['Vehicle', '車輛', (row) => safeCell(row.device_name)],
  carrier: ['Carrier', '電信業者', (row) => safeCell(row.carrier)],
  sent: ['Bytes sent', '已傳送位元組', (row) => String(row.sent), 'number'],
  received: ['Bytes received', '已接收位元組', (row) => String(row.received), 'number'],
  total: ['Bytes', '位元組', (row) => String(row.sent + row.received), 'number'],
  before: ['Bytes in the previous cycle', '前一週期位元組', (row) => String(row.before), 'number'],
};
