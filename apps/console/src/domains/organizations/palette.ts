import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/organization/add',
    order: 60,
    title: { 'en-US': 'Create an organization', 'zh-TW': '建立組織' },
    also: { 'en-US': 'add new customer', 'zh-TW': '新增 加入 客戶 add organization' },
  },
];
