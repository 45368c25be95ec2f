import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/groups/add',
    order: 30,
    title: { 'en-US': 'Add a group', 'zh-TW': '新增群組' },
    also: { 'en-US': 'new create', 'zh-TW': '加入 建立 add group' },
  },
];
