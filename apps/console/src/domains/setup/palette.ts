import { IconListCheck } from '@tabler/icons-react';
import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/setup',
    order: 10,
    title: { 'en-US': 'What is set up', 'zh-TW': '設定進度' },
    also: { 'en-US': 'first steps checklist onboarding', 'zh-TW': '開始使用 首次設定 檢查清單 setup' },
    icon: IconListCheck,
  },
];
