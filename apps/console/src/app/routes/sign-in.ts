import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute, signedInRoute } from './root-route.ts';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('../../session/LoginPage.tsx'), 'LoginPage'),
});

export const logoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/logout',
  component: lazyRouteComponent(() => import('../../session/LogoutPage.tsx'), 'LogoutPage'),
});

export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
});
