import { devices, organizations } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

export type OfflineSpan = devices.OfflineFilter;
export type Attention = CallResponse<typeof devices.attention>['result'];
export type OnlineMoment = CallResponse<typeof devices.onlineShare>['result'][number];

/** What needs attention in an organization, or in all of a main account (ATT-01). */
export const attentionQuery = (offline: OfflineSpan, org?: string) =>
  queryOptions({
    queryKey: ['overview', 'attention', offline, org],
    queryFn: async ({ signal }) => (await call(devices.attention, { query: { offline, org }, signal })).result,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    meta: { topics: ['devices', 'groups', 'rollouts', 'esims', 'alerts'] },
  });

export type Fleet = CallResponse<typeof organizations.fleet>['result'];

/** Figures of all organizations of a main account together (ATT-03). */
export const fleetQuery = () =>
  queryOptions({
    queryKey: ['overview', 'fleet'],
    queryFn: async ({ signal }) => (await call(organizations.fleet, { signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['organizations', 'inventory'] },
  });

/** How many devices were online in the last hours (ATT-02). A moment is added every five minutes. */
export const onlineShareQuery = (hours: '24' | '168', org?: string) =>
  queryOptions({
    queryKey: ['overview', 'online', hours, org],
    queryFn: async ({ signal }) => (await call(devices.onlineShare, { query: { hours, org }, signal })).result,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
