import type { organizations } from '@highline/contract';
import { safeCell, type CsvColumn } from '../../platform/csv/index.ts';

const titles = {
  'en-US': { name: 'Org Name', contact: 'Contact', phone: 'Phone', address: 'Address', ratio: 'Expiring/All Devices' },
  'zh-TW': { name: '組織名稱', contact: '聯絡人', phone: '電話', address: '地址', ratio: '即將到期／全部裝置' },
} as const;

/** Columns of the organization list as CSV (ORG-01, SHR-08). */
export function organizationColumns(language: keyof typeof titles): CsvColumn<organizations.Organization>[] {
  const title = titles[language];
  return [
    { title: '#', cell: (_, index) => String(index + 1) },
    { title: title.name, cell: (row) => safeCell(row.name) },
    { title: title.contact, cell: (row) => safeCell(row.contacts.map(({ email }) => email).join(' ')) },
    { title: title.phone, cell: (row) => safeCell(row.phone) },
    { title: title.address, cell: (row) => safeCell(row.address) },
    // Spaces on both sides, because a spreadsheet reads 1/12 as the twelfth of January.
    { title: title.ratio, cell: (row) => `${row.expire} / ${row.devices}` },
  ];
}
