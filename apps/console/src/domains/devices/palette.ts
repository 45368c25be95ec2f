import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/devices/add',
    order: 10,
    title: { 'en-US': 'Add devices', 'zh-TW': '新增裝置' },
    also: { 'en-US': 'new router vehicle register import', 'zh-TW': '加入 路由器 車輛 註冊 匯入 add device' },
  },
];
