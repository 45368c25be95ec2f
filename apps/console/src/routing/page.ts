import type { Role } from '@highline/contract';
import { type AnyRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type LazyNamespace, withMessages } from '../i18n/i18n.ts';
import type { Session } from '../api/session.ts';
import type { Language } from '../ui/language.ts';
import { type ListSpec, parseListSearch } from '../ui/list/spec.ts';
import { isPageOpen } from './page-rights.ts';
import { signedInRoute } from './signed-in.ts';

/** The same text in each language. */
export type Texts = Readonly<Record<Language, string>>;

export type Icon = ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;

/** How a page is listed in the sidebar (NAV-02) and in the palette (BLK-04). */
export interface Entry {
  /** The place among all entries. */
  readonly order: number;
  readonly section: 'top' | 'customers' | 'fleet' | 'updates' | 'office' | 'data';
  readonly icon: Icon;
  readonly title: Texts;
  /** Where the entry leads, if the path of the page has parameters. */
  readonly path?: string;
  /** Other pages that keep this entry active. */
  readonly alsoActive?: readonly string[];
}

interface Page {
  readonly path: string;
  /** The roles that may open it. */
  readonly roles: readonly Role[];
  readonly entry: Entry | undefined;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Absent: the route is no page of the console. */
    readonly page?: Page;
  }
}

/** A search as it appears in the address, before a route has validated it. */
export type Raw = Record<string, unknown>;

/** The options that the route of each page begins with: its path, who may open it, and its entry in the sidebar. */
export function page<const Path extends string>(path: Path, roles: readonly Role[], entry?: Entry) {
  return { getParentRoute: () => signedInRoute, path, staticData: { page: { path, roles, entry } } };
}

/** The component of a page, loaded with the messages that it uses. */
export function screen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  namespaces: readonly LazyNamespace[],
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(withMessages(namespaces, load), name);
}

/** Validates a search as the state of a list. */
export function listSearch<Spec extends ListSpec>(list: Spec) {
  return (raw: Raw) => parseListSearch(list, raw);
}

/** The text values of these names in an address; missing ones are left out. */
export function textsOf<Name extends string>(...names: readonly Name[]) {
  return (raw: Raw) =>
    Object.fromEntries(names.flatMap((name) => (typeof raw[name] === 'string' ? [[name, raw[name]]] : []))) as {
      readonly [Each in Name]?: string | undefined;
    };
}

interface Guarded<Name extends string> {
  readonly search: { readonly [Each in Name]?: string | undefined };
  readonly context: { readonly session: Session };
  readonly matches: readonly { readonly staticData: { readonly page?: Page } }[];
}

/** The guard of a page about one entity: if the address does not name it, by all of these names, to the list (NAV-05). */
export function requireSelection<const Name extends string>(name: Name | readonly Name[], list: (role: Role) => AnyRoute) {
  return ({ search, context, matches }: Guarded<Name>) => {
    // A page that may not be opened says so, without an entity as well.
    const shown = matches.at(-1)?.staticData.page;
    const isOpen = shown === undefined || (shown.roles.includes(context.session.role) && isPageOpen(context.session, shown.path));
    if (isOpen && [name].flat().some((each) => search[each as Name] === undefined)) {
      const { fullPath } = list(context.session.role) as { readonly fullPath: '/' };
      throw redirect({ to: fullPath, search: {}, replace: true });
    }
  };
}
