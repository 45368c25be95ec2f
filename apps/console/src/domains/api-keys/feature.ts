import { IconKey } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { keyList } from './api-keys.lists.ts';

/** What other programs use. */
const keysRoute = createRoute({
  ...page('/api-keys', ['main', 'admin'], {
    order: 220,
    section: 'office',
    icon: IconKey,
    title: { 'en-US': 'API Keys', 'zh-TW': 'API 金鑰' },
  }),
  validateSearch: listSearch(keyList),
  component: screen(['apiKeys'], () => import('./KeyList.tsx'), 'KeyList'),
});

export const routes = [keysRoute] as const;

export const messages = {
  apiKeys: { 'en-US': () => import('./api-keys.en-US.ts'), 'zh-TW': () => import('./api-keys.zh-TW.ts') },
};
