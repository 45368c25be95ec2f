import { bulkJobs } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

/** Jobs that have not ended, for the header; apart from the other calls, since every page loads it. */
export const activeJobsQuery = queryOptions({
  queryKey: ['jobs', 'active'],
  queryFn: async ({ signal }) =>
    (await call(bulkJobs.listJobs, { query: { active: 'true', limit: bulkJobs.MOST_ACTIVE_JOBS, offset: 0 }, signal })).result,
  refetchInterval: REFRESH_MS,
  meta: { topics: ['jobs'] },
});
