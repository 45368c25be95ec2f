import { alerts } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

/** How many alerts are firing, for the header; apart from the other calls, since every page loads it. */
export const alertCountQuery = queryOptions({
  queryKey: ['alerts', 'count'],
  queryFn: async ({ signal }) => (await call(alerts.countAlerts, { query: {}, signal })).result,
  refetchInterval: REFRESH_MS,
  meta: { topics: ['alerts'] },
});
