import { IconKey, IconTerminal } from '@tabler/icons-react';
import type { PaletteItem } from '../../routing/palette.ts';

export const palette: readonly PaletteItem[] = [
  {
    path: '/commands/sent',
    order: 255,
    title: { 'en-US': 'Commands of routers', 'zh-TW': '路由器的指令' },
    also: { 'en-US': 'waiting sent restart reboot', 'zh-TW': '等候 已送出 重新啟動 commands' },
    icon: IconTerminal,
  },
  {
    path: '/commands/passwords',
    order: 256,
    title: { 'en-US': 'Passwords of routers', 'zh-TW': '路由器密碼' },
    also: { 'en-US': 'web page sign-in rotate due admin', 'zh-TW': '網頁 登入 更換 到期 passwords' },
    icon: IconKey,
  },
];
