import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/devices/esimsAdd',
    order: 20,
    title: { 'en-US': 'Add an eSIM', 'zh-TW': '新增 eSIM' },
    also: { 'en-US': 'new profile SIM import', 'zh-TW': '加入 設定檔 SIM 匯入 add' },
  },
];
