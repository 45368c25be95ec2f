import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, Outlet, redirect } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { homePathOf, isPage, mayOpen } from '../screens.ts';
import { hasSession, INVALID_ACCOUNT, signInAddress } from '../../session/sign-out.ts';
import { ensureSession } from '../../api/session.ts';
import { Broken, NoPage, NotFound } from '../shell/Fallbacks.tsx';
import { Shell } from '../shell/Shell.tsx';

interface Context {
  readonly client: QueryClient;
}

/** A search as it appears in the address, before a route has validated it. */
export type Raw = Record<string, unknown>;

/** The text values of these names in an address; missing ones are left out. */
export function textsOf<Name extends string>(...names: readonly Name[]) {
  return (raw: Raw) =>
    Object.fromEntries(names.flatMap((name) => (typeof raw[name] === 'string' ? [[name, raw[name]]] : []))) as {
      readonly [Each in Name]?: string | undefined;
    };
}

export const rootRoute = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound });

/** Without roles there is nothing to show (AUTH-04). Without a session the client is already redirecting to /login (AUTH-02). */
function reject(error: unknown): Promise<never> {
  if (!(error instanceof ApiError)) throw error;
  if (error.key === 'account.no_roles') location.replace(INVALID_ACCOUNT);
  else if (error.status !== 401) throw error;
  // The page is being left: render nothing.
  return new Promise(() => undefined);
}

/** All pages behind the sign-in: without a session to /login (AUTH-02), from a path the role may not open to its home (NAV-02). */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: Shell,
  errorComponent: Broken,
  // The router would show a pending component here until the files of the page are there too, without the shell (`Opening`).
  pendingMs: Number.POSITIVE_INFINITY,
  beforeLoad: async ({ context, location }) => {
    // The readable part of the session cookies is missing: no user is signed in, so no call is needed.
    if (!hasSession())
      throw isPage(location.pathname) ? redirect({ href: signInAddress(location.href, false), replace: true }) : notFound();
    const session = await ensureSession(context.client).catch(reject);
    if (isPage(location.pathname) && !mayOpen(session.role, location.pathname))
      throw redirect({ to: homePathOf(session.role), replace: true });
    return { session };
  },
});

/** Any address without a page, for people who are signed in: the screens stay in reach. */
export const unknownRoute = createRoute({ getParentRoute: () => signedInRoute, path: '$', component: NoPage });
