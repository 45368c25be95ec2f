import { usage } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallQuery } from '../../api/client.ts';
import { type Page, pageOf, REFRESH_MS } from '../../api/useList.ts';

export type UsageRow = usage.UsageRow;
export type UsageKind = usage.UsageKind;
export type UsageCycle = usage.UsageCycle;
export type UsageMonth = Awaited<ReturnType<typeof fetchMonth>>;

/** One page of what used data, the most first. */
export async function fetchUsage(query: CallQuery<typeof usage.listUsage>, signal: AbortSignal): Promise<Page<UsageRow>> {
  return pageOf(await call(usage.listUsage, { query, signal }));
}

/** The same list as CSV. */
export function fetchUsageFile(query: CallQuery<typeof usage.exportUsage>): Promise<Blob> {
  return callFile(usage.exportUsage, { query });
}

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
