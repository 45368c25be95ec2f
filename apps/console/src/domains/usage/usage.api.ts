import { usage } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallQuery, filesOf } from '../../api/client.ts';
import { pagesOf, REFRESH_MS } from '../../api/useList.ts';

export type UsageRow = usage.UsageRow;
export type UsageKind = usage.UsageKind;
export type UsageCycle = usage.UsageCycle;
export type UsageMonth = Awaited<ReturnType<typeof fetchMonth>>;

/** One page of what used data, the most first. */
export const fetchUsage = pagesOf(usage.listUsage);

/** The same list as CSV. */
export const fetchUsageFile = filesOf(usage.exportUsage);

type Of = Pick<CallQuery<typeof usage.usageMonth>, 'org' | 'cycle' | 'device' | 'iccid'>;

async function fetchMonth(query: Of, signal: AbortSignal) {
  return (await call(usage.usageMonth, { query, signal })).result;
}

/** A month by day next to the one before: of all that is in view, of a device or of a SIM. */
export const monthQuery = (of: Of) =>
  queryOptions({
    queryKey: ['usage', 'month', of] as const,
    queryFn: ({ signal }) => fetchMonth(of, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** The running cycle of the SIMs of a device. */
export const deviceUseQuery = (device: string) =>
  queryOptions({
    queryKey: ['usage', 'of', device] as const,
    queryFn: async ({ signal }) => (await call(usage.usageOf, { query: { devices: device }, signal })).result.devices,
    refetchInterval: REFRESH_MS,
  });
