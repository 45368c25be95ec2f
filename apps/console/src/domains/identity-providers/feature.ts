import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { providerList } from './identity-providers.lists.ts';

const providersRoute = createRoute({
  ...page('/identity-providers', ['main', 'admin']),
  validateSearch: listSearch(providerList),
  component: screen(['providers'], () => import('./ProviderList.tsx'), 'ProviderList'),
});

export const routes = [providersRoute] as const;

export const messages = {
  providers: { 'en-US': () => import('./identity-providers.en-US.ts'), 'zh-TW': () => import('./identity-providers.zh-TW.ts') },
};
