import { properties } from '@highline/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../api/client.ts';
import { REFRESH_MS } from '../../api/useList.ts';

export type DeviceProperty = properties.DeviceProperty;
export type PropertyType = properties.PropertyType;

/** What the form of a property holds. */
export interface PropertyDraft {
  readonly name: string;
  readonly type: PropertyType;
  readonly unit: string;
}

/** A property of a device. */
export interface Place {
  readonly device: string;
  readonly property: string;
}

/** All properties of a device by name, with what it has of them. */
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

/** Set what a device has of a property; null takes it away. */
export async function setProperty(client: QueryClient, place: Place, value: DeviceProperty['value']): Promise<void> {
  await show(client, place, (await call(properties.setProperty, { params: place, body: { value } })).result);
}

/** Set a device's picture. */
export async function setPicture(client: QueryClient, place: Place, picture: File): Promise<void> {
  await show(client, place, (await call(properties.uploadPicture, { params: place, files: { picture } })).result);
}

/** What was saved stands on the page at once; an answer that was asked for before it must not come over it. */
async function show(client: QueryClient, { device, property }: Place, saved: DeviceProperty): Promise<void> {
  const { queryKey } = propertiesQuery(device);
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (all) => all?.map((one) => (one.key === property ? saved : one)));
}

/** Where a picture is fetched; another picture has another address. */
export function pictureAddress(place: Place, sha256: string): string {
  return addressOf(properties.readPicture, { params: place, query: { of: sha256 } });
}
