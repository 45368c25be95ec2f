import { accounts, areasOfLimited, type Role, fromApiRole, mayVisitorCall } from '@highline/contract';
import { queryOptions, type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { setPreferenceOwner } from '../ui/preferences.ts';

/** The signed-in user, with roles in the application's terms. */
export interface Session {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The organization of an admin or user; null for the main account. */
  readonly org: { readonly id: string; readonly name: string } | null;
  readonly mainAccountName: string;
  /** The permissions of the account for its own service: the first of its scopes. */
  readonly permissions: readonly string[];
  readonly version: string;
  readonly demo: boolean;
  /** As whom the user acts in `org`, which is another company; null = at home (IAM-05). */
  readonly visit: {
    readonly kind: 'support' | 'guest';
    readonly until: string | null;
    readonly by: string;
    readonly atHome: boolean;
  } | null;
  /** For admins: the support that the organization lets in. */
  readonly support: { readonly id: string; readonly until: string | null } | null;
  /** Names of the groups and tags that the user is limited to; null = sees everything. */
  readonly limitedTo: readonly string[] | null;
  /** The role that the company made for the user: of what `role` may do, these rights alone; null = all of it (IAM-03). */
  readonly ownRole: { readonly name: string; readonly rights: readonly string[] } | null;
}

async function readSession(): Promise<Session> {
  const { result } = await call(accounts.introspect, {});
  setPreferenceOwner(result.id);
  // A process of the version before has none.
  const ownRole = (result.ownRole as typeof result.ownRole | undefined) ?? null;
  return {
    id: result.id,
    name: result.name,
    email: result.email,
    // An own role allows a part of what an admin may do, and in another company a part of what its visit does.
    role: ownRole !== null && result.visit === null && result.role === 'vendor' ? 'admin' : fromApiRole(result.role),
    org: result.org,
    mainAccountName: result.vendorName,
    permissions: result.scopes[0]?.permissions ?? [],
    version: result.version,
    demo: result.demo,
    visit: result.visit,
    support: result.support,
    limitedTo: result.limitedTo && [...result.limitedTo.groups.map(({ name }) => name), ...result.limitedTo.tags],
    ownRole,
  };
}

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  meta: { topics: ['visits'] },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** The session, fetched once per page load. @throws ApiError when there is none. */
export function ensureSession(client: QueryClient): Promise<Session> {
  return client.ensureQueryData(sessionQuery);
}

/** The session, inside the signed-in part of the console. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/**
 * The role of the signed-in user for one part of the product, such as `devices`: that of a user, who changes nothing there, where the own role does not
 * have the right to change it, also in the main account, or no one does who is limited or visits.
 */
export function useRoleFor(area: string): Role {
  const { role, ownRole, limitedTo, visit } = useSession();
  const change = `${area}.write`;
  if (limitedTo !== null && !areasOfLimited.has(area)) return 'user';
  if (visit !== null && !mayVisitorCall(change, visit.atHome)) return 'user';
  return ownRole === null || ownRole.rights.includes(change) ? role : 'user';
}
