import { IconHistory } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { logList } from './logs.lists.ts';

const logsRoute = createRoute({
  ...page('/logs', ['admin', 'user'], {
    order: 100,
    section: 'office',
    icon: IconHistory,
    title: { 'en-US': 'Logs', 'zh-TW': '操作紀錄' },
    alsoActive: ['/recordings', '/recordings/play'],
  }),
  validateSearch: listSearch(logList),
  component: screen(['logs'], () => import('./LogList.tsx'), 'LogList'),
});

export const routes = [logsRoute] as const;

export const messages = {
  logs: { 'en-US': () => import('./logs.en-US.ts'), 'zh-TW': () => import('./logs.zh-TW.ts') },
};
