import { groups } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

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
}

/** A piece of a group's devices. `limit` 0 asks for their number alone. */
export const membersQuery = (group: string, { sort, field, search }: MemberView, offset: number, limit: number) =>
  queryOptions({
    queryKey: ['groups', 'members', group, sort, search === undefined ? undefined : field, search, offset, limit],
    queryFn: async ({ signal }) => {
      const narrowed = search === undefined ? {} : { search, field };
      const query = { sort, ...narrowed, offset, limit: Math.max(1, limit) };
      const answer = await call(groups.listMembers, { params: { group }, query, signal });
      return { rows: answer.result.slice(0, limit), total: answer.total ?? answer.result.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['groups', 'devices'] },
  });
