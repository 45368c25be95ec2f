import { IconUser } from '@tabler/icons-react';
import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/users/add',
    order: 50,
    title: { 'en-US': 'Invite a cloud user', 'zh-TW': '邀請雲端使用者' },
    also: { 'en-US': 'add new person account', 'zh-TW': '新增 加入 帳號 人員 add user' },
  },
  { path: '/profile', order: 270, title: { 'en-US': 'Profile and sessions', 'zh-TW': '個人資料與工作階段' }, icon: IconUser },
];
