import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { alertRoutes } from './routes/alerts.ts';
import { deviceRoutes, spelledNotificationRoute } from './routes/devices.ts';
import { esimRoutes } from './routes/esims.ts';
import { firmwareRoutes } from './routes/firmware.ts';
import { type Raw, rootRoute, signedInRoute, unknownRoute } from './routes/root-route.ts';
import { groupRoutes } from './routes/groups.ts';
import { jobRoutes } from './routes/jobs.ts';
import { coverageRoutes } from './routes/coverage.ts';
import { mapRoutes } from './routes/map.ts';
import { organizationRoutes } from './routes/organizations.ts';
import { programRoutes } from './routes/programs.ts';
import { reportRoutes } from './routes/reports.ts';
import { homeRoute, loginRoute, logoutRoute } from './routes/sign-in.ts';
import { usageRoutes } from './routes/usage.ts';
import { userRoutes } from './routes/users.ts';
import { Broken, NotFound, Opening, Pending, SLOW_MS } from './shell/Fallbacks.tsx';

const routeTree = rootRoute.addChildren([
  loginRoute,
  logoutRoute,
  spelledNotificationRoute,
  signedInRoute.addChildren([
    homeRoute,
    unknownRoute,
    ...reportRoutes,
    ...deviceRoutes,
    ...esimRoutes,
    ...groupRoutes,
    ...firmwareRoutes,
    ...organizationRoutes,
    ...userRoutes,
    ...jobRoutes,
    ...programRoutes,
    ...coverageRoutes,
    ...mapRoutes,
    ...usageRoutes,
    ...alertRoutes,
  ]),
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

/** Make the router of the console. */
export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
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
