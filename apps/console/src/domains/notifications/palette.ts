import { IconBell } from '@tabler/icons-react';
import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  { path: '/devices/service/noitify', order: 260, title: { 'en-US': 'Notifications', 'zh-TW': '通知' }, icon: IconBell },
];
