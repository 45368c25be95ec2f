import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { overdueList } from './backups.lists.ts';

/** Devices without a recent backup, and when routers are backed up (TPL-06). */
const overdueRoute = createRoute({
  ...page('/backups', ['admin', 'user']),
  validateSearch: listSearch(overdueList),
  component: screen(['routerBackups'], () => import('./OverdueList.tsx'), 'OverdueList'),
});

export const routes = [overdueRoute] as const;

export const messages = {
  routerBackups: {
    'en-US': () => import('./router-backups.en-US.ts'),
    'zh-TW': () => import('./router-backups.zh-TW.ts'),
  },
};
