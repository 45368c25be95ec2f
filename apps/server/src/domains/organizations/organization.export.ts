import type { organizations } from '@highline/contract';
import { numberColumn, safeCell, type ListColumns } from '../../platform/csv/index.ts';

/** Columns of the organization list as CSV (ORG-01, SHR-08). */
export const organizationColumns: ListColumns<(typeof organizations.organizationColumns)[number], organizations.Organization> = {
  number: numberColumn,
  name: ['Org Name', '組織名稱', (row) => safeCell(row.name)],
  contact: ['Contact', '聯絡人', (row) => safeCell(row.contacts.map(({ email }) => email).join(' '))],
  phone: ['Phone', '電話', (row) => safeCell(row.phone)],
  address: ['Address', '地址', (row) => safeCell(row.address)],
  // Spaces on both sides, because a spreadsheet reads 1/12 as the twelfth of January.
  devices: ['Expiring/All Devices', '即將到期／所有裝置', (row) => `${row.expire} / ${row.devices}`],
  online: ['Online/All Devices', '線上／所有裝置', (row) => `${row.online} / ${row.devices}`],
  rollouts: ['Groups with Failed Routers', '有失敗路由器的群組', (row) => String(row.failedRollouts), 'number'],
  expiring: ['Expiring', '即將到期', (row) => String(row.expire), 'number'],
};
