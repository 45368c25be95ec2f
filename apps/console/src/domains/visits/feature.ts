import { createRoute } from '@tanstack/react-router';
import { lazy } from 'react';
import { withMessages } from '../../i18n/i18n.ts';
import { listSearch, page, type Raw, screen } from '../../routing/page.ts';
import { visitList } from './visits.lists.ts';

const ofList = listSearch(visitList);

/** Support and guests of the own organization, or with `mine` the organizations that a person may enter (IAM-05). */
const visitsRoute = createRoute({
  ...page('/access', ['main', 'admin', 'user']),
  validateSearch: (raw: Raw) => ofList(raw),
  component: screen(['visits'], () => import('./VisitList.tsx'), 'VisitList'),
});

export const routes = [visitsRoute] as const;

const loadBanner = withMessages(['visits'], () => import('./VisitBanner.tsx'));

/** On every screen: as whom a person acts where, or that support is let in (IAM-05). */
export const VisitBanner = lazy(async () => ({ default: (await loadBanner()).VisitBanner }));

export const messages = {
  visits: { 'en-US': () => import('./visits.en-US.ts'), 'zh-TW': () => import('./visits.zh-TW.ts') },
};
