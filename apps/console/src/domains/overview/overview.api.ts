import { accounts, devices } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

/** Counts of devices, groups and logs, and SIMs per carrier (OVW-01 … 04); fetched anew every 60 s (OVW-07). */
export const countsQuery = queryOptions({
  queryKey: ['overview', 'counts'],
  queryFn: async ({ signal }) => (await call(devices.statistics, { query: {}, signal })).result,
  refetchInterval: REFRESH_MS,
  meta: { topics: ['devices', 'groups', 'logs'] },
});
export type Counts = Awaited<ReturnType<NonNullable<typeof countsQuery.queryFn>>>;

/** How many people of an organization are signed in (OVW-06), fetched anew every 60 s (OVW-07). */
export const loginStatusQuery = (org: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'people', org],
    queryFn: async ({ signal }) => (await call(accounts.loginStatus, { params: { org: org ?? '' }, signal })).result,
    enabled: org !== undefined,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['accounts'] },
  });
