import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { esimList } from '../../domains/esims/esims.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, signedInRoute, textsOf } from './root-route.ts';

const esimListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/esimsList',
  validateSearch: (raw: Raw) => parseListSearch(esimList, raw),
  component: lazyRouteComponent(
    withMessages(['esims'], () => import('../../domains/esims/EsimList.tsx')),
    'EsimList',
  ),
});

/** The method of adding is part of the address, and for manual adding the router whose eSIMs are shown. */
const esimAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/esimsAdd',
  validateSearch: (
    raw: Raw,
  ): { method?: 'import' | 'manual' | undefined; serial?: string | undefined; eid?: string | undefined } => ({
    ...(raw.method === 'manual' || raw.method === 'import' ? { method: raw.method } : {}),
    ...(typeof raw.serial === 'string' && typeof raw.eid === 'string' ? { serial: raw.serial, eid: raw.eid } : {}),
  }),
  component: lazyRouteComponent(
    withMessages(['deviceForms', 'esims'], () => import('../../domains/esims/EsimAdd.tsx')),
    'EsimAdd',
  ),
});

const esimEditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/esimsEdit',
  validateSearch: textsOf('profile'),
  beforeLoad: requireSelection('profile', () => '/devices/esimsList'),
  component: lazyRouteComponent(
    withMessages(['esims'], () => import('../../domains/esims/EsimEdit.tsx')),
    'EsimEdit',
  ),
});

export const esimRoutes = [esimListRoute, esimAddRoute, esimEditRoute] as const;
