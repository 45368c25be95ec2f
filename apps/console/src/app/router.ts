import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { spelledNotificationRoute } from '../domains/notifications/feature.ts';
import { page, type Raw } from '../routing/page.ts';
import { rootRoute, signedInRoute } from '../routing/signed-in.ts';
import './catalogues.ts';
import { homePathOf, pageRoutes } from './pages.ts';
import { Broken, NoPage, NotFound, Opening, Pending, SLOW_MS } from './shell/Fallbacks.tsx';
import { Shell } from './shell/Shell.tsx';

/** Leads every role to its home. */
const homeRoute = createRoute(page('/', []));

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('../session/LoginPage.tsx'), 'LoginPage'),
});

const logoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/logout',
  component: lazyRouteComponent(() => import('../session/LogoutPage.tsx'), 'LogoutPage'),
});

/** Any address without a page, for people who are signed in: the screens stay in reach. */
const unknownRoute = createRoute({ getParentRoute: () => signedInRoute, path: '$', component: NoPage });

/**
 * What a page does not know in its address (an unknown tab, a range that does not exist) is dropped: the library would hand on to it, as it is, what its own
 * parser left out.
 */
for (const route of pageRoutes) {
  const parse = route.options.validateSearch as ((raw: Raw) => object) | undefined;
  const validateSearch = (raw: Raw): object => ({
    ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])),
    ...parse?.(raw),
  });
  if (parse !== undefined) Object.assign(route.options, { validateSearch });
}

const routeTree = rootRoute
  .update({ component: Outlet, notFoundComponent: NotFound })
  .addChildren([
    loginRoute,
    logoutRoute,
    spelledNotificationRoute,
    signedInRoute.update({ component: Shell, errorComponent: Broken }).addChildren([homeRoute, unknownRoute, ...pageRoutes]),
  ]);

/** Search parameters as plain text: `?search=007` keeps what was typed, and people can read and write it. */
function parseSearch(text: string): Raw {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Raw): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

let isOpening = performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'navigate');

/**
 * Whether a page is scrolled to where it was, or to its top. One that was opened by its address is at its top: to scroll there would make the
 * browser lay it out before its data are there.
 */
function isScrolled({ location }: { readonly location: { readonly hash: string } }): boolean {
  const isAtTop = isOpening && location.hash === '';
  isOpening = false;
  return !isAtTop;
}

/** Make the router of the console. */
export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client, homePathOf },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: isScrolled,
    scrollToTopSelectors: ['#content'],
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Broken,
    defaultPendingComponent: Pending,
    InnerWrap: Opening,
    defaultPendingMs: SLOW_MS,
    // A page that is there is shown at once.
    defaultPendingMinMs: 0,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
