import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/groups/configAdd',
    order: 40,
    title: { 'en-US': 'Add a config file', 'zh-TW': '新增設定檔' },
    also: { 'en-US': 'new upload configuration', 'zh-TW': '加入 上傳 組態 add config' },
  },
];
