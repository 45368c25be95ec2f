import type { properties } from '@highline/contract';
import { contentVersion } from '../../kernel/content-version.ts';
import type { StoredProperty } from './properties.store.ts';

/** The value of a property on a device, as the API returns it. */
export function toStoredPropertyDto(stored: StoredProperty): properties.DeviceProperty {
  const { key, name, type, unit, value, picture_type: pictureType, picture_size: size, picture_sha256: sha256 } = stored;
  const isPicture = pictureType !== null && size !== null && sha256 !== null;
  return {
    key,
    name,
    type,
    unit,
    value,
    picture: isPicture ? { type: pictureType, size, sha256: sha256.toString('hex') } : null,
    version: storedVersion(stored),
  };
}

/** For If-Match: changes with the value. */
export function storedVersion({ value, picture_sha256: sha256 }: StoredProperty): string {
  return contentVersion([value, sha256?.toString('hex') ?? null]);
}
