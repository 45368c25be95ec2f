import { z } from 'zod';
import { adminOnly, everyRole, operation } from './operation.ts';
import { propertyTypes, type PropertyType } from './property-types.ts';
import { line, tenantBody, tenantQuery } from './wire.ts';

export type { PropertyType };

/** Properties of one organization. */
export const MOST_PROPERTIES = 32;
export const LONGEST_PROPERTY_NAME = 40;
export const LONGEST_PROPERTY_UNIT = 16;
export const LONGEST_PROPERTY_TEXT = 500;
/** Of a picture. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

/** Of all pictures of one organization. */
export const MOST_PICTURE_BYTES = 256 * 1024 * 1024;

/** What a picture may be, as its first bytes say it; never as its sender says it. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** A property that an organization's devices have (OLD-02). Once added it stays as it is. */
export const customProperty = z.object({
  /** Made of the name, unique in the organization. */
  key: z.string(),
  name: z.string(),
  type: z.enum(propertyTypes),
  /** Of a number; '' where there is none. */
  unit: z.string(),
});
export type CustomProperty = z.infer<typeof customProperty>;

/** The same with what one device has of it; both null where nothing was set. */
export const deviceProperty = customProperty.extend({
  value: z.union([z.boolean(), z.number(), z.string()]).nullable(),
  /** `sha256` in lower-case hex names the content: another one is another picture. `size` in bytes. */
  picture: z.object({ type: z.enum(pictureTypes), size: z.number().int(), sha256: z.string() }).nullable(),
  /** Changes with what was set; goes back as If-Match, in quotes. */
  version: z.string(),
});
export type DeviceProperty = z.infer<typeof deviceProperty>;

// Who changes devices changes what they have.

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
    name: line(LONGEST_PROPERTY_NAME).min(1),
    type: z.enum(propertyTypes),
    /** Of a number alone. */
    unit: line(LONGEST_PROPERTY_UNIT).optional(),
  }),
  response: z.object({ result: customProperty }),
});

export const deviceProperties = operation({
  id: 'properties.ofDevice',
  method: 'GET',
  path: '/data_manager/v1/dm/device/properties',
  summary: 'All custom properties of a device by name, with what was set of them (OLD-02).',
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
    'Set what a device has of a property that is no picture; null takes it away, of a picture too (OLD-02). Honours If-Match.',
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
    'Set the picture that a device has of a property: PNG, JPEG or WebP, at most 2 MiB, in the field `picture` (OLD-02). Honours If-Match.',
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
  summary: 'The picture that a device has of a property (OLD-02).',
  scope: 'tenant',
  roles: everyRole,
  params: place,
  /** `of`: SHA-256 of the picture that is meant; it only keeps addresses of different pictures apart. */
  query: tenantQuery.extend({ of: z.string().max(64).optional() }),
  response: z.string(),
  answer: 'file',
  fileTypes: pictureTypes,
});

export const propertyOperations = [
  listProperties,
  addProperty,
  deviceProperties,
  setProperty,
  uploadPicture,
  readPicture,
] as const;
