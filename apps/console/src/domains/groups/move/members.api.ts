import { groups } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { searchQuery } from '../../../api/searchQuery.ts';

export type Member = groups.Member;
type MemberSort = 'serial' | '-serial' | 'vehicle' | '-vehicle';
export const memberFields = ['serial', 'vehicle'] as const;

/** Which part of a group's devices a list shows. */
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

/** A piece of a group's devices. `limit` 0 asks for their number alone. */
export const membersQuery = (group: string, view: MemberView, offset: number, limit: number) =>
  queryOptions({
    queryKey: ['groups', 'members', group, toQuery(view), offset, limit],
    queryFn: async ({ signal }) => {
      const query = { ...toQuery(view), offset, limit: Math.max(1, limit) };
      const answer = await call(groups.listMembers, { params: { group }, query, signal });
      return { rows: answer.result.slice(0, limit), total: answer.total ?? answer.result.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['groups', 'devices'] },
  });

/** How many devices of a group the view's search lets through. */
export async function countMembers(group: string, view: MemberView, signal: AbortSignal): Promise<number> {
  const answer = await call(groups.listMembers, {
    params: { group },
    query: { ...toQuery(view), offset: 0, limit: 1 },
    signal,
  });
  return answer.total ?? answer.result.length;
}

/** All devices of a group that the search lets through, in one answer. */
export async function fetchAllMembers(group: string, view: MemberView): Promise<readonly Member[]> {
  return (await call(groups.listMembers, { params: { group }, query: toQuery(view) })).result;
}
