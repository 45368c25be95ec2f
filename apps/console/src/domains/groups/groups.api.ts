import { groups } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, filesOf } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';
import { untilToday } from '../../ui/time/format.ts';

const fetchPage = pagesOf(groups.listGroups);
const fetchFile = filesOf(groups.exportGroups);

/** Days of the filters are those of the zone. */
interface InZone {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly zone: string;
}

const withDays = <Query extends InZone>(query: Query): Query => ({
  ...query,
  from: untilToday(query.from, query.zone),
  until: untilToday(query.until, query.zone),
});

/** One page of the list. */
export function fetchGroups(query: Parameters<typeof fetchPage>[0] & InZone, signal: AbortSignal): ReturnType<typeof fetchPage> {
  return fetchPage(withDays(query), signal);
}

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export function fetchGroupsFile(query: Parameters<typeof fetchFile>[0] & InZone): Promise<Blob> {
  return fetchFile(withDays(query));
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
