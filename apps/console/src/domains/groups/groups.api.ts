import { groups } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, filesOf } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';

/** One page of the list. */
export const fetchGroups = pagesOf(groups.listGroups);

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export const fetchGroupsFile = filesOf(groups.exportGroups);

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
