import { groups } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallAnswer, callFile, type CallQuery, callTagged } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { type Page, pageOf } from '../../api/useList.ts';

export type Group = groups.Group;
/** A group with its number and the state of its routers. */
export type GroupDetails = CallAnswer<typeof groups.getGroup>['result'];

/** One page of the list. */
export async function fetchGroups(query: CallQuery<typeof groups.listGroups>, signal: AbortSignal): Promise<Page<Group>> {
  return pageOf(await call(groups.listGroups, { query, signal }));
}

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export function fetchGroupsFile(query: CallQuery<typeof groups.exportGroups>): Promise<Blob> {
  return callFile(groups.exportGroups, { query });
}

/** How many groups there are: the number of the next one is one more (GRP-06). */
export const groupCountQuery = () =>
  queryOptions({
    queryKey: ['groups', 'count'],
    queryFn: async ({ signal }) => (await call(groups.listGroups, { query: { limit: 1, offset: 0 }, signal })).total ?? 0,
    meta: { topics: ['groups'] },
  });

const whose = (org: string | undefined) => (org === undefined ? {} : { org });

/** The number of groups offered at once; a text narrows them down. */
const OFFERED = 20;

/** Groups whose name contains a text. @param org the organization; by default the user's own */
export const groupChoices = (search: string, org?: string) =>
  queryOptions({
    queryKey: ['groups', 'offered', search, org],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? {} : { search, field: 'group' as const };
      const page = { limit: OFFERED, offset: 0, sort: 'name' } as const;
      const answer = await call(groups.listGroups, { query: { ...filter, ...page, ...whose(org) }, signal });
      return { options: answer.result, total: answer.total ?? answer.result.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['groups'] },
  });

/** A group with the ETag a save must be based on. Null = it does not exist. */
export const groupQuery = (group: string, org?: string) =>
  queryOptions({
    queryKey: org === undefined ? ['groups', 'one', group] : ['groups', 'one', group, org],
    queryFn: async ({ signal }) => {
      try {
        const { answer, etag } = await callTagged(groups.getGroup, { params: { group }, query: whose(org), signal });
        return { group: answer.result, etag };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    meta: { topics: ['groups', 'rollouts'] },
  });

/**
 * Delete groups; their devices return to the default group (GRP-04).
 * @param confirmed `confirmation` of what that group starts at once on them, as the user has seen it
 */
export async function deleteGroups(keys: readonly string[], confirmed: string | undefined): Promise<void> {
  await call(groups.deleteGroups, { body: { groups: [...keys], confirmed } });
}
