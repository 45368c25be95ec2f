import { views } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ListSpec } from '../../ui/list/spec.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { applyView, useListPreferences } from '../../ui/preferences.ts';
import type { List } from '../useList.ts';
import { type SavedView, viewsQuery, type ViewContent } from './views.api.ts';

/** `?view=none`: the list without a view, also where one is the default. */
export const NO_VIEW = 'none';

/** The saved views of a list on the screen. */
export interface ListView {
  readonly list: views.ViewList;
  readonly views: readonly SavedView[];
  /** The one by which the list was opened. */
  readonly view: SavedView | undefined;
  /** The address names a view that is not there. */
  readonly isGone: boolean;
  /** Names of filters of the view that name something that is gone. */
  readonly missing: readonly string[];
  /** What a view saved now would show. */
  readonly current: ViewContent;
  readonly isChanged: boolean;
  readonly open: (view: SavedView | undefined) => void;
}

type Search = Readonly<Record<string, unknown>>;

/** The part of an address that a view stores. */
function contentSearch({ page: _page, size: _size, view: _view, ...rest }: Search): Record<string, string> {
  const entries = Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  // The field of an empty search filters nothing.
  return Object.fromEntries(rest['search'] === undefined ? entries.filter(([name]) => name !== 'field') : entries);
}

/** The order of a view's rows, which hides none of them. */
const sortOf = ({ sort }: Search): Search => (sort === undefined ? {} : { sort });

/** The same content, whatever the order of its keys; left out and undefined are the same. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return entries.map(([key, one]) => [key, canonical(one)]).toSorted(([a], [b]) => String(a).localeCompare(String(b)));
}
const isSame = (one: unknown, other: unknown) => JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));

const listOf = (id: string) => views.viewLists.find((list) => list === id);

/** The view by which a list was opened, applied to it; undefined for a list without views (BLK-03). @param hasViews false for a list within another page */
export function useListView<Spec extends ListSpec>(
  list: Pick<List<Spec, never, unknown>, 'spec' | 'state' | 'opensAtRow'>,
  hasViews: boolean,
): ListView | undefined {
  const name = hasViews ? listOf(list.spec.id) : undefined;
  const query = useQuery({ ...viewsQuery, enabled: name !== undefined });
  const { search: typed, change } = list.state;
  const search = typed as Search;
  const all = query.data?.filter((view) => view.list === name);
  const view = all?.find(({ id }) => id === search['view']);
  const preferences = useListPreferences(list.spec.id);
  const go = change as unknown as (part: Search, replace?: boolean) => void;

  useLayoutEffect(() => {
    applyView(list.spec.id, view === undefined ? undefined : { id: view.id, layout: view.content.layout });
  }, [list.spec.id, view]);

  const isStarted = useRef(false);
  const first = all?.find(({ isDefault }) => isDefault);
  const isPlain = Object.keys(search).length === 0;
  const isBare = Object.keys(search).length === 1 && view !== undefined;
  useEffect(() => {
    if (all === undefined || isStarted.current) return;
    isStarted.current = true;
    // A list that is opened without anything opens with the default view; an address with a view alone gets the view's filters.
    // Without its filters where the list was opened for a row: they could hide that.
    if (isPlain && first !== undefined)
      go({ ...(list.opensAtRow ? sortOf(first.content.search) : first.content.search), view: first.id }, true);
    else if (isBare) go({ ...view.content.search, view: view.id }, true);
  }, [all, first, go, isBare, isPlain, list.opensAtRow, view]);

  if (name === undefined) return undefined;
  const current: ViewContent = {
    search: contentSearch(search),
    layout: {
      ...(preferences.columns === undefined ? {} : { columns: { ...preferences.columns } }),
      ...(preferences.order === undefined ? {} : { order: [...preferences.order] }),
      ...(preferences.widths === undefined || Object.keys(preferences.widths).length === 0
        ? {}
        : { widths: { ...preferences.widths } }),
      ...(preferences.density === undefined ? {} : { density: preferences.density }),
      ...(preferences.wrap === undefined ? {} : { wrap: preferences.wrap }),
    },
  };
  const known: Search = view === undefined ? {} : parseListSearch(list.spec, view.content.search);
  const unknown = view === undefined ? [] : Object.keys(view.content.search).filter((key) => known[key] === undefined);
  const empty = Object.fromEntries(Object.keys(search).map((key) => [key, undefined]));
  return {
    list: name,
    views: all ?? [],
    view,
    isGone: all !== undefined && view === undefined && search['view'] !== undefined && search['view'] !== NO_VIEW,
    missing: view === undefined ? [] : [...view.missing, ...unknown],
    current,
    isChanged: view !== undefined && !isSame(current, view.content),
    open: (next) => go(next === undefined ? { ...empty, view: NO_VIEW } : { ...empty, ...next.content.search, view: next.id }),
  };
}
