import type { accounts } from '@highline/contract';
import { safeCell, type CsvColumn } from '../../platform/csv/index.ts';

const catalogue = {
  'en-US': { name: 'Username', email: 'Email', role: 'Role', admin: 'Admin', user: 'User' },
  'zh-TW': { name: '使用者名稱', email: '電子郵件', role: '角色', admin: '管理員', user: '使用者' },
} as const;

/** Columns of the cloud users as CSV (USR-01, SHR-08). */
export function userExportColumns(language: keyof typeof catalogue): CsvColumn<accounts.Account>[] {
  const messages = catalogue[language];
  return [
    { title: '#', cell: (_, index) => String(index + 1) },
    { title: messages.name, cell: (row) => safeCell(row.name) },
    { title: messages.email, cell: (row) => safeCell(row.email) },
    { title: messages.role, cell: (row) => (row.role === 'super' ? messages.admin : messages.user) },
  ];
}
