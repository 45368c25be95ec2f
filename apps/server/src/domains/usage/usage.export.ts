import { addDays } from '../../kernel/index.ts';
import type { usage } from '@highline/contract';
import { identifierCell, safeCell, type ListColumns } from '../../platform/csv/index.ts';
import type { UsageListRow } from './usage.queries.ts';

const names: Readonly<Record<usage.UsageKind, readonly [english: string, chinese: string]>> = {
  sims: ['ICCID', 'ICCID'],
  vehicles: ['Vehicle', '車輛'],
  groups: ['Group', '群組'],
  organizations: ['Organization', '組織'],
};

/** The columns of the file; bytes as whole numbers, so that a spreadsheet can add them up. */
export const exportColumns = (by: usage.UsageKind): ListColumns<(typeof usage.usageColumns)[number], UsageListRow> => ({
  name: [...names[by], (row) => identifierCell(row.name)],
  serial: ['Serial Number', '序號', (row) => identifierCell(row.serial)],
  org: ['Organization', '組織', (row) => safeCell(row.org_name)],
  device: ['Vehicle', '車輛', (row) => identifierCell(row.device_name)],
  carrier: ['First carrier', '首次連線的電信業者', (row) => safeCell(row.carrier)],
  from: ['First day', '第一日', (row) => row.cycle_from, 'time'],
  until: ['Last day', '最後一日', (row) => addDays(row.cycle_until, -1), 'time'],
  sent: ['Bytes sent', '已傳送位元組', (row) => String(row.sent), 'number'],
  received: ['Bytes received', '已接收位元組', (row) => String(row.received), 'number'],
  total: ['Bytes', '位元組', (row) => String(row.sent + row.received), 'number'],
  before: ['Bytes in the period before', '前一期間位元組', (row) => String(row.before), 'number'],
});
