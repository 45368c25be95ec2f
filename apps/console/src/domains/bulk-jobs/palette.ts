import { IconChecklist } from '@tabler/icons-react';
import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  { path: '/jobs', order: 250, title: { 'en-US': 'Jobs', 'zh-TW': '工作' }, icon: IconChecklist },
];
