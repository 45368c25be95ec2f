import { networks } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallResponse, filesOf } from '../../api/client.ts';

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

export type ClientUse = networks.ClientUseAnswer;
export type ClientSettings = networks.ClientSettings;
export type StoredClientSettings = networks.StoredClientSettings;

/** The counters are read every 15 minutes. */
const USE_MS = 60_000;

/** What clients used by day, and each of them on one. @param day ISO; empty = today */
export const useQueryOf = (device: string, day: string, search: string) =>
  queryOptions({
    queryKey: ['networks', device, 'use', day, search] as const,
    queryFn: async ({ signal }) => {
      const query = { device, ...(day === '' ? {} : { day }), ...(search === '' ? {} : { search }) };
      return (await call(networks.readClientUse, { query, signal })).result;
    },
    refetchInterval: USE_MS,
    placeholderData: keepPreviousData,
  });

export const fetchUseFile = filesOf(networks.exportClientUse);

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export async function saveClientSettings(settings: ClientSettings, etag: string): Promise<ClientSettings> {
  return (await call(networks.saveClientSettings, { body: settings, ifMatch: etag })).result;
}
