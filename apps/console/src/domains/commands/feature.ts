import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { passwordList, sentList } from './sent.lists.ts';

const sentRoute = createRoute({
  ...page('/commands/sent', ['admin', 'user']),
  validateSearch: listSearch(sentList),
  component: screen(['commands', 'settingFaults', 'bulkJobs'], () => import('./SentList.tsx'), 'SentList'),
});

const passwordsRoute = createRoute({
  ...page('/commands/passwords', ['admin', 'user']),
  validateSearch: listSearch(passwordList),
  component: screen(['commands'], () => import('./PasswordList.tsx'), 'PasswordList'),
});

export const routes = [sentRoute, passwordsRoute] as const;

export const messages = {
  commands: { 'en-US': () => import('./commands.en-US.ts'), 'zh-TW': () => import('./commands.zh-TW.ts') },
};
