import type { Role } from '@highline/contract';
import type { Session } from '../api/session.ts';
import type { Entry } from '../routing/page.ts';
import { isPageOpen } from '../routing/page-rights.ts';
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

type Viewer = Pick<Session, 'role' | 'limitedTo' | 'ownRole' | 'visit'>;

/** The entries that someone sees, in order. */
export function screensOf(viewer: Viewer): readonly Screen[] {
  const isOfAll = (path: string) => viewer.limitedTo !== null && path !== '/groups/list' && ofAll.test(path);
  return screens.filter(({ roles, path }) => roles.includes(viewer.role) && !isOfAll(path) && isPageOpen(viewer, path));
}

/** Where `/` leads (NAV-01): to the first entry; it is the own page of those whose role opens none. */
export function homePathOf(viewer: Viewer): string {
  return screensOf(viewer)[0]?.path ?? '/profile';
}

/** True when someone may open the page at a path. */
export function mayOpen(viewer: Viewer, path: string): boolean {
  return isPageOpen(viewer, path) && pages.some((page) => page.path === path && page.roles.includes(viewer.role));
}

/** True when a sidebar entry is the active one. */
export function isActive({ path, alsoActive = [] }: Screen, open: string): boolean {
  return path === open || alsoActive.includes(open);
}
