import { IconMap2 } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { mapList } from './positions.lists.ts';

/** The filters of the device list, the chosen vehicle and the colours are part of the address (POS-02). */
const mapRoute = createRoute({
  ...page('/map', ['main', 'admin', 'user'], {
    order: 150,
    section: 'fleet',
    icon: IconMap2,
    title: { 'en-US': 'Map', 'zh-TW': '地圖' },
    alsoActive: ['/links'],
  }),
  validateSearch: listSearch(mapList),
  component: screen(['places', 'positions'], () => import('./MapScreen.tsx'), 'MapScreen'),
});

export const routes = [mapRoute] as const;

export const messages = {
  positions: { 'en-US': () => import('./positions.en-US.ts'), 'zh-TW': () => import('./positions.zh-TW.ts') },
  trail: { 'en-US': () => import('./trail/trail.en-US.ts'), 'zh-TW': () => import('./trail/trail.zh-TW.ts') },
};
