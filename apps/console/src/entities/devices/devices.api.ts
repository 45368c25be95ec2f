import { devices } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, filesOf } from '../../api/client.ts';
import { type Page, pageOf } from '../../api/useList.ts';

export type Device = devices.Device;
type Query = devices.DeviceListQuery;

/** A page of devices, and how many of all that match are online. */
export interface DevicePage extends Page<Device> {
  readonly online: number | undefined;
}

/** One page of a device list. */
export async function fetchDevices(query: Query, signal: AbortSignal): Promise<DevicePage> {
  const response = await call(devices.listDevices, { query, signal });
  return { ...pageOf(response), online: response.online };
}

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export const fetchDevicesFile = filesOf(devices.exportDevices);

/** Tags in use, in alphabetical order. @param org chosen by the main account */
export const tagsQuery = (org?: string) =>
  queryOptions({
    queryKey: ['devices', 'tags', org],
    queryFn: async ({ signal }) =>
      (await call(devices.listTags, { query: org === undefined ? {} : { org }, signal })).result.map(({ tag }) => tag),
    meta: { topics: ['devices'] },
  });

/** Archive devices and free their routers. */
export async function deleteDevices(ids: readonly string[]): Promise<void> {
  await call(devices.deleteDevices, { body: { devices: [...ids] } });
}
