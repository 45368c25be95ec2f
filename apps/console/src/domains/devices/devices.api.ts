import { devices } from '@highline/contract';
import { call, callFile } from '../../api/client.ts';
import { searchQuery } from '../../api/searchQuery.ts';
import type { Page, PageRequest } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

export type Device = devices.Device;
type Query = devices.DeviceListQuery;

/** The address of either device list. */
type Search = Pick<
  Query,
  'sort' | 'search' | 'field' | 'ignoreCase' | 'service' | 'presence' | 'group' | 'carrier' | 'expiration' | 'org'
> & {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
};

/** A page of devices, and how many of all that match are online. */
export interface DevicePage extends Page<Device> {
  readonly online: number | undefined;
}

/** The address's filters as the call takes them; the field alone narrows nothing. */
function toQuery(search: Search, zone: string): Query {
  const { page: _page, size: _size, field: _field, search: _text, ignoreCase: _case, ...filters } = search;
  return { ...filters, zone, ...searchQuery(search, 'serial') };
}

/** One page of a device list. */
export async function fetchDevices(search: Search, zone: string, page: PageRequest, signal: AbortSignal): Promise<DevicePage> {
  const answer = await call(devices.listDevices, { query: { ...toQuery(search, zone), ...page }, signal });
  return { rows: answer.result, total: answer.total ?? answer.result.length, offset: answer.offset, online: answer.online };
}

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export function fetchDevicesFile(
  search: Search,
  zone: string,
  language: Language,
  layout: 'devices' | 'organizations' | 'sims' | 'service',
): Promise<Blob> {
  return callFile(devices.exportDevices, { query: { ...toQuery(search, zone), language, layout } });
}

/** The first devices whose serial or vehicle number contains a text, ignoring case, for the command palette. */
export async function findDevices(text: string, signal: AbortSignal): Promise<readonly Device[]> {
  const find = (field: 'serial' | 'vehicle') =>
    call(devices.listDevices, { query: { search: text, field, ignoreCase: 'true', limit: 5, offset: 0 }, signal });
  const [bySerial, byVehicle] = await Promise.all([find('serial'), find('vehicle')]);
  return [...new Map([...bySerial.result, ...byVehicle.result].map((device) => [device.device, device])).values()];
}

/** Archive devices and free their routers. */
export async function deleteDevices(ids: readonly string[]): Promise<void> {
  await call(devices.deleteDevices, { body: { devices: [...ids] } });
}
