import { groups } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallQuery } from '../../api/client.ts';
import { type Page, pageOf } from '../../api/useList.ts';
import type { Group } from '../../entities/groups/group.api.ts';

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

/**
 * Delete groups; their devices return to the default group (GRP-04).
 * @param confirmed `confirmation` of what that group starts at once on them, as the user has seen it
 */
export async function deleteGroups(keys: readonly string[], confirmed: string | undefined): Promise<void> {
  await call(groups.deleteGroups, { body: { groups: [...keys], confirmed } });
}
