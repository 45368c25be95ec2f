import { properties } from '@highline/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

export type DeviceProperty = properties.DeviceProperty;
export type PropertyType = properties.PropertyType;

/** The fields of the property form. */
export interface PropertyDraft {
  readonly name: string;
  readonly type: PropertyType;
  readonly unit: string;
}

/** A property of a device. */
export interface PropertyTarget {
  readonly device: string;
  readonly property: string;
}

/** All properties of a device by name, with its values. */
export const propertiesQuery = (device: string) =>
  queryOptions({
    queryKey: ['properties', device],
    queryFn: async ({ signal }) => (await call(properties.deviceProperties, { query: { device }, signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['properties'] },
  });

/** Add a property to all devices of the organization, for good. */
export async function addProperty(client: QueryClient, { name, type, unit }: PropertyDraft): Promise<void> {
  await call(properties.addProperty, { body: { name, type, ...(type === 'number' ? { unit } : {}) } });
  await client.invalidateQueries({ queryKey: ['properties'] });
}

/** The version a save is based on; if it changed since, the call fails with 'conflict.stale', which contains the current value. */
interface Based extends PropertyTarget {
  readonly version: string;
}

/** Set the device's value of a property; null removes it. */
export async function setProperty(client: QueryClient, target: Based, value: DeviceProperty['value']): Promise<void> {
  const { result } = await call(properties.setProperty, { ...sent(target), body: { value } });
  await showProperty(client, target.device, result);
}

/** Set a device's picture. */
export async function setPicture(client: QueryClient, target: Based, picture: File): Promise<void> {
  const { result } = await call(properties.uploadPicture, { ...sent(target), files: { picture } });
  await showProperty(client, target.device, result);
}

function sent({ device, property, version }: Based) {
  return { params: { device, property }, ifMatch: `"${version}"` };
}

/** A saved value is shown immediately; a response requested before the save must not overwrite it. */
export async function showProperty(client: QueryClient, device: string, saved: DeviceProperty): Promise<void> {
  const { queryKey } = propertiesQuery(device);
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (all) => all?.map((one) => (one.key === saved.key ? saved : one)));
}

/** Where a picture is fetched; another picture has another address. */
export function pictureAddress(target: PropertyTarget, sha256: string): string {
  return addressOf(properties.readPicture, { params: target, query: { of: sha256 } });
}
