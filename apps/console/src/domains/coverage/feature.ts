import { IconHexagons } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { coverageList } from './coverage.lists.ts';

/** The view, the period, the network and the chosen hexagon are part of the address (POS-06). */
const coverageRoute = createRoute({
  ...page('/coverage', ['main', 'admin', 'user'], {
    order: 160,
    section: 'fleet',
    icon: IconHexagons,
    title: { 'en-US': 'Coverage', 'zh-TW': '訊號涵蓋' },
  }),
  validateSearch: listSearch(coverageList),
  component: screen(['coverage'], () => import('./CoverageScreen.tsx'), 'CoverageScreen'),
});

export const routes = [coverageRoute] as const;

export const messages = {
  coverage: { 'en-US': () => import('./coverage.en-US.ts'), 'zh-TW': () => import('./coverage.zh-TW.ts') },
};
