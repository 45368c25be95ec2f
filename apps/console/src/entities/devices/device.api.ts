import { devices } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallResponse, callTagged } from '../../api/client.ts';
import { nullIfMissing } from '../../api/errors.ts';

export type DeviceDetails = CallResponse<typeof devices.getDevice>['result'];

/** A device with the ETag a save must be based on. Null = it does not exist. */
export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'one', id],
    queryFn: ({ signal }) =>
      nullIfMissing(async () => {
        const { response, etag } = await callTagged(devices.getDevice, { query: { device: id }, signal });
        return { device: response.result, etag };
      }),
    meta: { topics: ['devices', 'groups'] },
  });
