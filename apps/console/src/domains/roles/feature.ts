import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { roleList } from './roles.lists.ts';

const rolesRoute = createRoute({
  ...page('/roles', ['main', 'admin']),
  validateSearch: listSearch(roleList),
  component: screen(['roles', 'apiKeys'], () => import('./RoleList.tsx'), 'RoleList'),
});

export const routes = [rolesRoute] as const;

export const messages = {
  roles: { 'en-US': () => import('./roles.en-US.ts'), 'zh-TW': () => import('./roles.zh-TW.ts') },
};
