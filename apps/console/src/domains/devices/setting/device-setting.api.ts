import { devices } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallAnswer, callTagged } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';

export type DeviceDetails = CallAnswer<typeof devices.getDevice>['result'];

/** A device with the ETag a save must be based on. Null = it does not exist. */
export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'one', id],
    queryFn: async ({ signal }) => {
      try {
        const { answer, etag } = await callTagged(devices.getDevice, { query: { device: id }, signal });
        return { device: answer.result, etag };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    meta: { topics: ['devices', 'groups'] },
  });

export type Readings = CallAnswer<typeof devices.deviceReadings>['result'];

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
