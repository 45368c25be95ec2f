import { IconArchive } from '@tabler/icons-react';
import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/backups',
    order: 257,
    title: { 'en-US': 'Backups of routers', 'zh-TW': '路由器設定備份' },
    also: { 'en-US': 'configuration restore versions', 'zh-TW': '還原 版本 backups' },
    icon: IconArchive,
  },
];
