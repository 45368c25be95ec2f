import type { properties } from '@highline/contract';
import { contentVersion } from '../../kernel/content-version.ts';
import type { HeldProperty } from './properties.store.ts';

/** The value of a property on a device, as the API returns it. */
export function toHeldDto(held: HeldProperty): properties.DeviceProperty {
  const { key, name, type, unit, value, picture_type: pictureType, picture_size: size, picture_sha256: sha256 } = held;
  const isPicture = pictureType !== null && size !== null && sha256 !== null;
  return {
    key,
    name,
    type,
    unit,
    value,
    picture: isPicture ? { type: pictureType, size, sha256: sha256.toString('hex') } : null,
    version: heldVersion(held),
  };
}

/** For If-Match: changes with the value. */
export function heldVersion({ value, picture_sha256: sha256 }: HeldProperty): string {
  return contentVersion([value, sha256?.toString('hex') ?? null]);
}
