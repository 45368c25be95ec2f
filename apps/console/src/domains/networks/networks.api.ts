import { networks } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse } from '../../api/client.ts';

export type DeviceNetworks = networks.DeviceNetworks;
export type RepairResult = CallResponse<typeof networks.repairWifi>['result'];

/** While someone looks; the server reads a router at most as often. */
const LOOK_MS = 5_000;

/** A part of the networks of a device, read again while the screen is open. */
export const networksQuery = (device: string, part: networks.NetworkPart, search = '') =>
  queryOptions({
    queryKey: ['networks', device, part, search] as const,
    queryFn: async ({ signal }) => {
      const query = { device, part, ...(search === '' ? {} : { search }) };
      return (await call(networks.readNetworks, { query, signal })).result;
    },
    refetchInterval: LOOK_MS,
    placeholderData: keepPreviousData,
  });

/** Switch on what keeps the Wi-Fi from working. */
export async function repairWifi(device: string, cause: networks.RepairableCause): Promise<RepairResult> {
  return (await call(networks.repairWifi, { body: { device, cause } })).result;
}
