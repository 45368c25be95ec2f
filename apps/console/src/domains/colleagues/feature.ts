import { IconUsers } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { colleagueList } from './colleagues.lists.ts';

/** People of the main account itself. */
const colleaguesRoute = createRoute({
  ...page('/colleagues', ['main'], {
    order: 210,
    section: 'office',
    icon: IconUsers,
    title: { 'en-US': 'Colleagues', 'zh-TW': '同事' },
    alsoActive: ['/identity-providers', '/roles', '/sign-in-rules', '/approvals', '/access'],
  }),
  validateSearch: listSearch(colleagueList),
  component: screen(['colleagues', 'users'], () => import('./ColleagueList.tsx'), 'ColleagueList'),
});

export const routes = [colleaguesRoute] as const;

export const messages = {
  colleagues: { 'en-US': () => import('./colleagues.en-US.ts'), 'zh-TW': () => import('./colleagues.zh-TW.ts') },
};
