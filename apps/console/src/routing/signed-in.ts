import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../api/errors.ts';
import { ensureSession, type Session } from '../api/session.ts';
import { hasSession, INVALID_ACCOUNT, signInAddress } from '../session/sign-out.ts';

interface Context {
  readonly client: QueryClient;
  /** Where `/` leads (NAV-01). */
  readonly homePathOf: (session: Session) => string;
}

export const rootRoute = createRootRouteWithContext<Context>()();

/** Without roles there is nothing to show (AUTH-04). Without a session the client is already redirecting to /login (AUTH-02). */
function reject(error: unknown): Promise<never> {
  if (!(error instanceof ApiError)) throw error;
  if (error.key === 'account.no_roles') location.replace(INVALID_ACCOUNT);
  else if (error.status !== 401) throw error;
  // The page is being left: render nothing.
  return new Promise(() => undefined);
}

/** All pages behind the sign-in: without a session to /login (AUTH-02). */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  // The router would show a pending component here until the files of the page are there too, without the shell (`Opening`).
  pendingMs: Number.POSITIVE_INFINITY,
  beforeLoad: async ({ context, location, matches }) => {
    // Absent where no page has this address.
    const roles = matches.at(-1)?.staticData.page?.roles;
    // The readable part of the session cookies is missing: no user is signed in, so no call is needed.
    if (!hasSession())
      throw roles === undefined ? notFound() : redirect({ href: signInAddress(location.href, false), replace: true });
    const session = await ensureSession(context.client).catch(reject);
    // `/` is open to no role: it leads to the first page of each. The shell says of any other page that it may not be opened (IAM-08).
    if (roles?.length === 0) throw redirect({ to: context.homePathOf(session), replace: true });
    return { session };
  },
});
