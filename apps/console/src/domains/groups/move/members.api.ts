import { groups } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { searchQuery } from '../../../ui/list/spec.ts';

export type Member = groups.Member;
type MemberSort = 'serial' | '-serial' | 'vehicle' | '-vehicle';
export const memberFields = ['serial', 'vehicle'] as const;

/** The part of a group's devices that a list shows. */
export interface MemberView {
  readonly page: number;
  readonly size: number;
  readonly sort: MemberSort | undefined;
  readonly field: (typeof memberFields)[number];
  readonly search: string | undefined;
  readonly ignoreCase: 'true' | undefined;
}

/** The most devices that one save moves; more are moved in several. */
export const MOST_MOVED = 50_000;

function toQuery(view: MemberView) {
  return { sort: view.sort, ...searchQuery(view, 'serial') };
}

/** A page of a group's devices. `limit` 0 requests only their number. */
export const membersQuery = (group: string, view: MemberView, offset: number, limit: number) =>
  queryOptions({
    queryKey: ['groups', 'members', group, toQuery(view), offset, limit],
    queryFn: async ({ signal }) => {
      const query = { ...toQuery(view), offset, limit: Math.max(1, limit) };
      const response = await call(groups.listMembers, { params: { group }, query, signal });
      return { rows: response.result.slice(0, limit), total: response.total ?? response.result.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['groups', 'devices'] },
  });

/** The number of devices of a group that match the search. */
export async function countMembers(group: string, view: MemberView, signal: AbortSignal): Promise<number> {
  const response = await call(groups.listMembers, {
    params: { group },
    query: { ...toQuery(view), offset: 0, limit: 1 },
    signal,
  });
  return response.total ?? response.result.length;
}

/** All devices of a group that match the search, in one response. */
export async function fetchAllMembers(group: string, view: MemberView): Promise<readonly Member[]> {
  return (await call(groups.listMembers, { params: { group }, query: toQuery(view) })).result;
}
