import { type accounts, type Language, shownRole } from '@highline/contract';
import { numberColumn, safeCell, type ListColumns } from '../../platform/csv/index.ts';

/** Columns of the cloud users as CSV (USR-01, SHR-08). @param time writes moments in the zone of the file */
export const userColumns = (
  time: (at: Date) => string,
): ListColumns<(typeof accounts.accountColumns)[number], accounts.ListedPerson> => ({
  number: numberColumn,
  name: ['Username', '使用者名稱', (row) => safeCell(row.name)],
  email: ['Email', '電子郵件', (row) => safeCell(row.email)],
  role: ['Role', '角色', (row) => [roleCell(row, 'en-US'), roleCell(row, 'zh-TW')]],
  signedIn: ['Last sign-in', '上次登入', ({ signedIn }) => (signedIn === null ? '' : time(new Date(signedIn * 1000))), 'time'],
  guestUntil: ['Guest until', '來賓期限', ({ guestUntil }) => (guestUntil === null ? '' : time(new Date(guestUntil))), 'time'],
});

const texts = {
  'en-US': { admin: 'Admin', user: 'User', none: 'No access', guest: ' (guest)' },
  'zh-TW': { admin: '管理員', user: '使用者', none: '無存取權', guest: '（來賓）' },
} as const;

function roleCell(row: accounts.ListedPerson, language: Language): string {
  const role = shownRole(row);
  const name = typeof role === 'string' ? texts[language][role] : safeCell(role.own);
  return row.guestUntil === null ? name : `${name}${texts[language].guest}`;
}
