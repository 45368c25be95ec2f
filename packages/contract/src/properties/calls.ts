import { z } from 'zod';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { propertyTypes, type PropertyType } from './property-types.ts';
import { ANY_FILE, line, tenantBody, tenantQuery, typedName } from '../conventions.ts';

export type { PropertyType };

/** Properties of one organization. */
export const MOST_PROPERTIES = 32;
export const LONGEST_PROPERTY_NAME = 40;
export const LONGEST_PROPERTY_UNIT = 16;
export const LONGEST_PROPERTY_TEXT = 500;
/** Limit of one picture. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

/** Limit of all pictures of one organization. */
export const MOST_PICTURE_BYTES = 256 * 1024 * 1024;

/** The types of a picture, by its first bytes; never by its declared type. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** A property of an organization's devices (OLD-02). It cannot be changed once added. */
export const customProperty = z.object({
  /** Derived from the name, unique in the organization. */
  key: z.string(),
  name: z.string(),
  type: z.enum(propertyTypes),
  /** Unit of a number; '' = none. */
  unit: z.string(),
});
export type CustomProperty = z.infer<typeof customProperty>;

/** The same with the value of one device; both null if nothing was set. */
export const deviceProperty = customProperty.extend({
  value: z.union([z.boolean(), z.number(), z.string()]).nullable(),
  /** `sha256` in lower-case hex identifies the content. `size` in bytes. */
  picture: z.object({ type: z.enum(pictureTypes), size: z.number().int(), sha256: z.string() }).nullable(),
  /** Changes with the value; send it back as If-Match, in quotes. */
  version: z.string(),
});
export type DeviceProperty = z.infer<typeof deviceProperty>;

// Users who may change devices may change their values.

const place = z.object({ property: z.string(), device: z.string() });

export const listProperties = operation({
  id: 'properties.list',
  method: 'GET',
  path: '/data_manager/v1/dm/properties',
  summary: 'Custom properties of an organization, at most 32, by name (OLD-02).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(customProperty) }),
});

export const addProperty = operation({
  id: 'properties.add',
  method: 'POST',
  path: '/data_manager/v1/dm/properties',
  summary: 'Add a custom property: bool, number, string or picture (OLD-02). It can be neither removed nor changed afterwards.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    name: typedName(LONGEST_PROPERTY_NAME).min(1),
    type: z.enum(propertyTypes),
    /** Only for a number. */
    unit: line(LONGEST_PROPERTY_UNIT).optional(),
  }),
  bodyExample: { unit: undefined },
  response: z.object({ result: customProperty }),
});

export const deviceProperties = operation({
  id: 'properties.ofDevice',
  method: 'GET',
  path: '/data_manager/v1/dm/device/properties',
  summary: 'All custom properties of a device by name, with its values (OLD-02).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string() }),
  response: z.object({ result: z.array(deviceProperty) }),
});

export const setProperty = operation({
  id: 'properties.set',
  method: 'PATCH',
  path: '/data_manager/v1/dm/properties/{property}/{device}',
  summary:
    'Set the value of a property on a device, except pictures; null removes it, of a picture too (OLD-02). Honours If-Match.',
  scope: 'organization',
  roles: adminOnly,
  params: place,
  body: tenantBody.extend({ value: z.union([z.boolean(), z.number(), line(LONGEST_PROPERTY_TEXT)]).nullable() }),
  response: z.object({ result: deviceProperty }),
});

export const uploadPicture = operation({
  id: 'properties.upload',
  method: 'POST',
  path: '/data_manager/v1/dm/properties/{property}/{device}/picture',
  summary:
    'Set the picture of a property on a device: PNG, JPEG or WebP, at most 2 MiB, in the field `picture` (OLD-02). Honours If-Match.',
  scope: 'organization',
  roles: adminOnly,
  params: place,
  body: tenantBody,
  bodyKind: 'multipart',
  response: z.object({ result: deviceProperty }),
});

export const readPicture = operation({
  id: 'properties.picture',
  queue: 'none',
  method: 'GET',
  path: '/data_manager/v1/dm/properties/{property}/{device}/picture',
  summary: 'The picture of a property on a device (OLD-02).',
  scope: 'tenant',
  roles: everyRole,
  params: place,
  /** `of`: SHA-256 of the picture; it only makes the URLs of different pictures distinct. */
  query: tenantQuery.extend({ of: z.string().max(64).optional() }),
  response: z.string(),
  sends: 'file',
  fileTypes: [...pictureTypes, ANY_FILE],
});

export const topics = ['properties'] as const;

export const schemaNames = {
  DeviceProperty: deviceProperty,
  Property: customProperty,
};
