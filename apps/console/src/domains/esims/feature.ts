import { IconDeviceSim } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { type Raw, listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { esimList } from './esims.lists.ts';

const esimListRoute = createRoute({
  ...page('/devices/esimsList', ['admin', 'user'], {
    order: 30,
    section: 'fleet',
    icon: IconDeviceSim,
    title: { 'en-US': 'SIMs', 'zh-TW': 'SIM 卡' },
    alsoActive: ['/devices/esimsAdd', '/devices/esimsEdit'],
  }),
  validateSearch: listSearch(esimList),
  component: screen(['esims', 'commands'], () => import('./EsimList.tsx'), 'EsimList'),
});

/** The method of adding is part of the address, and for manual adding the router whose eSIMs are shown. */
const esimAddRoute = createRoute({
  ...page('/devices/esimsAdd', ['admin']),
  validateSearch: (
    raw: Raw,
  ): { method?: 'import' | 'manual' | undefined; serial?: string | undefined; eid?: string | undefined } => ({
    ...(raw.method === 'manual' || raw.method === 'import' ? { method: raw.method } : {}),
    ...(typeof raw.serial === 'string' && typeof raw.eid === 'string' ? { serial: raw.serial, eid: raw.eid } : {}),
  }),
  component: screen(['commands', 'deviceForms', 'esims'], () => import('./EsimAdd.tsx'), 'EsimAdd'),
});

const esimEditRoute = createRoute({
  ...page('/devices/esimsEdit', ['admin']),
  validateSearch: textsOf('profile'),
  beforeLoad: requireSelection('profile', () => esimListRoute),
  component: screen(['esims', 'commands'], () => import('./EsimEdit.tsx'), 'EsimEdit'),
});

export const routes = [esimListRoute, esimAddRoute, esimEditRoute] as const;

export const messages = {
  esims: { 'en-US': () => import('./esims.en-US.ts'), 'zh-TW': () => import('./esims.zh-TW.ts') },
};
