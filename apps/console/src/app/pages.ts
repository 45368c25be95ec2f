import type { Role } from '@highline/contract';
import type { Session } from '../api/session.ts';
import type { Entry } from '../routing/page.ts';
import { isOpenByOwnRole } from '../routing/page-rights.ts';
import * as features from './features.ts';

type Feature = (typeof features)[keyof typeof features];
type PageRoute = Extract<Feature, { readonly routes: unknown }>['routes'][number];

/** The routes of all features. */
export const pageRoutes = Object.values(features).flatMap((feature): readonly PageRoute[] =>
  'routes' in feature ? feature.routes : [],
);

/** A page with an entry in the sidebar. */
export interface Screen extends Entry {
  readonly path: string;
  readonly roles: readonly Role[];
}

const pages = pageRoutes.flatMap(({ options }) => options.staticData?.page ?? []);

const screens: readonly Screen[] = pages
  .flatMap(({ path, roles, entry }) => (entry === undefined ? [] : [{ path, roles, ...entry }]))
  .toSorted((one, other) => one.order - other.order);

/** What someone who is limited to groups and tags has no use for: it is of the whole organization (IAM-04). */
const ofAll = /^\/(?:api-keys|coverage|groups\/|logs|users|webhooks|reports\/list)/u;

/** The entries a role sees, in order. */
export function screensOf(role: Role, isLimited = false, ownRole: Session['ownRole'] = null): readonly Screen[] {
  const isOpen = (path: string) =>
    !(isLimited && path !== '/groups/list' && ofAll.test(path)) && isOpenByOwnRole({ ownRole }, path);
  return screens.filter(({ roles, path }) => roles.includes(role) && isOpen(path));
}

/** True when a role may open the page at a path. */
export function mayOpen(role: Role, path: string): boolean {
  return pages.some((page) => page.path === path && page.roles.includes(role));
}

/** True when a sidebar entry is the active one. */
export function isActive({ path, alsoActive = [] }: Screen, open: string): boolean {
  return path === open || alsoActive.includes(open);
}
