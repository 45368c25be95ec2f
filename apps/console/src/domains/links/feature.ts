import { createRoute } from '@tanstack/react-router';
import { listSearch, page, type Raw, screen, textsOf } from '../../routing/page.ts';
import { linkList } from './links.lists.ts';

const ofList = listSearch(linkList);
const ofNew = textsOf('device', 'group');

/** Links that show vehicles without sign-in; `device` or `group` opens the form of a new one. The map leads to it (RPM-06). */
const linksRoute = createRoute({
  ...page('/links', ['main', 'admin']),
  validateSearch: (raw: Raw) => ({ ...ofList(raw), ...ofNew(raw) }),
  component: screen(['links'], () => import('./LinkList.tsx'), 'LinkList'),
});

export const routes = [linksRoute] as const;

export const messages = {
  links: { 'en-US': () => import('./links.en-US.ts'), 'zh-TW': () => import('./links.zh-TW.ts') },
};
