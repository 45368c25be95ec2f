import { accounts, devices } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

/** Counts of devices, groups and logs, and SIMs per carrier (OVW-01 … 04); refetched every 60 s (OVW-07). */
export const countsQuery = (zone: string, org?: string) =>
  queryOptions({
    queryKey: ['overview', 'counts', zone, org],
    queryFn: async ({ signal }) => (await call(devices.statistics, { query: { zone, org }, signal })).result,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    // Not 'logs': each entry of any log would count all devices again.
    meta: { topics: ['devices', 'groups'] },
  });
export type Counts = CallResponse<typeof devices.statistics>['result'];

/** How many users of an organization are signed in (OVW-06), refetched every 60 s (OVW-07). */
export const loginStatusQuery = (org: string | undefined) =>
  queryOptions({
    queryKey: ['overview', 'users', org],
    queryFn: async ({ signal }) => (await call(accounts.loginStatus, { params: { org: org ?? '' }, signal })).result,
    enabled: org !== undefined,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['accounts'] },
  });
