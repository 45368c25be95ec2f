import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { usePreferredSize } from '../preferences.ts';
import { storeSearch } from './last-search.ts';
import {
  changed,
  isFiltered,
  type ListQuery,
  type ListSearch,
  type ListSpec,
  parseListSearch,
  queryOf,
  withoutFilters,
} from './spec.ts';

/** A list's state and how to change it. */
export interface ListState<Spec extends ListSpec> {
  readonly search: ListSearch<Spec>;
  readonly query: ListQuery<Spec>;
  readonly page: number;
  /** From the address, else what the user chose on any list, else the list's default. */
  readonly size: number;
  readonly filtered: boolean;
  /**
   * Change part of the state; `replace` for changes without their own history entry (typing, opening at a row's page). Nothing changes
   * while another page is opening: the address is that one's already.
   */
  readonly change: (change: Partial<ListSearch<Spec>>, replace?: boolean) => void;
  readonly clear: () => void;
}

/** The list's state, kept in the address, so that reload, back and a shared link show the same rows. */
export function useListState<Spec extends ListSpec>(spec: Spec): ListState<Spec> {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseListSearch(spec, raw), [spec, raw]);
  const preferred = usePreferredSize();
  const router = useRouter();
  // Of the page that is shown: while another one loads, the location is that one's.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => storeSearch(path, search), [path, search]);

  const go = useCallback(
    (next: (from: ListSearch<Spec>) => ListSearch<Spec>, replace: boolean) => {
      if (router.latestLocation.pathname !== path) return;
      void navigate({
        to: '.',
        search: ((previous: Record<string, unknown>) => ({
          ...keptOf(spec, previous),
          ...next(parseListSearch(spec, previous)),
        })) as never,
        replace,
        resetScroll: false,
      });
    },
    [navigate, router, path, spec],
  );
  const change = useCallback(
    (part: Partial<ListSearch<Spec>>, replace = false) => {
      go((from) => changed(from, part), replace);
    },
    [go],
  );
  const clear = useCallback(() => go((from) => withoutFilters(spec, from), false), [go, spec]);

  return {
    search,
    query: queryOf(spec, search),
    page: search.page ?? 1,
    size: search.size ?? preferred ?? spec.defaultSize,
    filtered: isFiltered(spec, search),
    change,
    clear,
  };
}

/** The parts of the address that belong to the page around the list. */
function keptOf({ keeps = [] }: ListSpec, previous: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(keeps.filter((name) => previous[name] !== undefined).map((name) => [name, previous[name]]));
}
