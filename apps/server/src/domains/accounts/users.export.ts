import type { accounts } from '@highline/contract';
import { numberColumn, safeCell, type ListColumns } from '../../platform/csv/index.ts';

/** Columns of the cloud users as CSV (USR-01, SHR-08). */
export const userColumns: ListColumns<(typeof accounts.accountColumns)[number], accounts.ListedPerson> = {
  number: numberColumn,
  name: ['Username', '使用者名稱', (row) => safeCell(row.name)],
  email: ['Email', '電子郵件', (row) => safeCell(row.email)],
  role: ['Role', '角色', (row) => (row.role === 'super' ? ['Admin', '管理員'] : ['User', '使用者'])],
  signedIn: ['Last sign-in', '上次登入', ({ signedIn }) => (signedIn === null ? '' : new Date(signedIn * 1000).toISOString())],
};
