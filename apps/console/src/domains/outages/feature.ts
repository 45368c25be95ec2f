import { IconPlugConnectedX } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { outageList } from './outages.lists.ts';

/** The view, the period and what is meant are part of the address (RPM-04). */
const outagesRoute = createRoute({
  ...page('/outages', ['main', 'admin', 'user'], {
    order: 165,
    section: 'fleet',
    icon: IconPlugConnectedX,
    title: { 'en-US': 'Outages', 'zh-TW': '斷線' },
  }),
  validateSearch: listSearch(outageList),
  component: screen(['outages', 'places'], () => import('./OutagesScreen.tsx'), 'OutagesScreen'),
});

export const routes = [outagesRoute] as const;

export const messages = {
  outages: { 'en-US': () => import('./outages.en-US.ts'), 'zh-TW': () => import('./outages.zh-TW.ts') },
};
