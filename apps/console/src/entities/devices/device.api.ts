import { devices } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallResponse, callTagged } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';

export type DeviceDetails = CallResponse<typeof devices.getDevice>['result'];

/** A device with the ETag a save must be based on. Null = it does not exist. */
export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'one', id],
    queryFn: async ({ signal }) => {
      try {
        const { response, etag } = await callTagged(devices.getDevice, { query: { device: id }, signal });
        return { device: response.result, etag };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    meta: { topics: ['devices', 'groups'] },
  });
