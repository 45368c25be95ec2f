import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { colleagueList } from '../../domains/colleagues/colleagues.lists.ts';
import { userList } from '../../domains/users/users.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, signedInRoute, textsOf } from './root-route.ts';

const userListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users',
  validateSearch: (raw: Raw) => parseListSearch(userList, raw),
  component: lazyRouteComponent(
    withMessages(['users'], () => import('../../domains/users/UserList.tsx')),
    'UserList',
  ),
});

const userAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/add',
  component: lazyRouteComponent(
    withMessages(['notifications', 'users'], () => import('../../domains/users/UserAdd.tsx')),
    'UserAdd',
  ),
});

const userDetailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/detail',
  validateSearch: textsOf('user'),
  beforeLoad: requireSelection('user', () => '/users'),
  component: lazyRouteComponent(
    withMessages(['notifications', 'users'], () => import('../../domains/users/UserDetail.tsx')),
    'UserDetail',
  ),
});

const roleEditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/roleEdit',
  component: lazyRouteComponent(
    withMessages(['users'], () => import('../../domains/users/OwnProfile.tsx')),
    'OwnProfile',
  ),
});

/** The same page for the roles that have no entry of it: the account menu leads here. */
const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyRouteComponent(
    withMessages(['users'], () => import('../../domains/users/OwnProfile.tsx')),
    'OwnProfile',
  ),
});

/** People of the main account itself. */
const colleaguesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/colleagues',
  validateSearch: (raw: Raw) => parseListSearch(colleagueList, raw),
  component: lazyRouteComponent(
    withMessages(['colleagues', 'users'], () => import('../../domains/colleagues/ColleagueList.tsx')),
    'ColleagueList',
  ),
});

export const userRoutes = [userListRoute, userAddRoute, userDetailRoute, roleEditRoute, profileRoute, colleaguesRoute] as const;
