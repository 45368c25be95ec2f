import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { sentList } from './sent.lists.ts';

const sentRoute = createRoute({
  ...page('/commands/sent', ['admin', 'user']),
  validateSearch: listSearch(sentList),
  component: screen(['commands'], () => import('./SentList.tsx'), 'SentList'),
});

export const routes = [sentRoute] as const;

export const messages = {
  commands: { 'en-US': () => import('./commands.en-US.ts'), 'zh-TW': () => import('./commands.zh-TW.ts') },
};
