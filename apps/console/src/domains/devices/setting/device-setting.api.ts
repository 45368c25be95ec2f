import { devices } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../../api/client.ts';

export type Readings = CallResponse<typeof devices.deviceReadings>['result'];

/** Readings of the router over a range, and when it was offline. */
export const readingsQuery = (id: string, range: devices.ReadingRange) =>
  queryOptions({
    queryKey: ['telemetry', id, range],
    queryFn: async ({ signal }) => (await call(devices.deviceReadings, { query: { device: id, range }, signal })).result,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    meta: { topics: ['telemetry'] },
  });

export interface DeviceChange {
  readonly vehicleNumber?: string;
  readonly note?: string;
  readonly tags?: string[];
  readonly group?: string;
  /** `confirmation` of what the other group starts at once. */
  readonly confirmed?: string | undefined;
}

/** First and last day of a subscription, MM/DD/YYYY. */
export interface Subscription {
  readonly started: string;
  readonly expired: string;
}

/** Set a device's subscription. @throws ApiError `conflict.stale` when another user saved in the meantime */
export async function saveSubscription(id: string, days: Subscription, etag: string | undefined): Promise<void> {
  await call(devices.saveSubscription, { body: { device: id, ...days }, ...(etag === undefined ? {} : { ifMatch: etag }) });
}

/** Save the changed fields. @throws ApiError `conflict.stale` when another user saved in the meantime */
export async function saveDevice(id: string, change: DeviceChange, etag: string | undefined): Promise<void> {
  await call(devices.saveDevice, { body: { device: id, ...change }, ...(etag === undefined ? {} : { ifMatch: etag }) });
}
