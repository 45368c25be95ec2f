import { IconUsers } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { userList } from './users.lists.ts';

const userListRoute = createRoute({
  ...page('/users', ['admin'], {
    order: 80,
    section: 'office',
    icon: IconUsers,
    title: { 'en-US': 'Cloud Users', 'zh-TW': '雲端使用者' },
    alsoActive: [
      '/users/add',
      '/users/detail',
      '/identity-providers',
      '/identity-providers/directory',
      '/roles',
      '/sign-in-rules',
      '/approvals',
      '/access',
    ],
  }),
  validateSearch: listSearch(userList),
  component: screen(['users'], () => import('./UserList.tsx'), 'UserList'),
});

const userAddRoute = createRoute({
  ...page('/users/add', ['admin']),
  component: screen(['apiKeys', 'notifications', 'roles', 'users'], () => import('./UserAdd.tsx'), 'UserAdd'),
});

const userDetailRoute = createRoute({
  ...page('/users/detail', ['admin']),
  validateSearch: textsOf('user'),
  beforeLoad: requireSelection('user', () => userListRoute),
  component: screen(['apiKeys', 'notifications', 'roles', 'users'], () => import('./UserDetail.tsx'), 'UserDetail'),
});

const roleEditRoute = createRoute({
  ...page('/users/roleEdit', ['user'], {
    order: 90,
    section: 'office',
    icon: IconUsers,
    title: { 'en-US': 'Cloud Users', 'zh-TW': '雲端使用者' },
    alsoActive: ['/profile'],
  }),
  component: screen(['apiKeys', 'roles', 'users'], () => import('./OwnProfile.tsx'), 'OwnProfile'),
});

/** The same page for the roles that have no entry of it: the account menu leads here. */
const profileRoute = createRoute({
  ...page('/profile', ['main', 'admin', 'user']),
  component: screen(['apiKeys', 'roles', 'users'], () => import('./OwnProfile.tsx'), 'OwnProfile'),
});

export const routes = [userListRoute, userAddRoute, userDetailRoute, roleEditRoute, profileRoute] as const;

export const messages = {
  users: { 'en-US': () => import('./users.en-US.ts'), 'zh-TW': () => import('./users.zh-TW.ts') },
};
