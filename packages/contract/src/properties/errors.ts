import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'property.not_found': failure(404, 'This property does not exist.'),
  'property.name_taken': failure(409, 'A property with this name already exists.'),
  'property.too_many': failure(409, 'An organization can have at most 32 properties.'),
  'property.picture_type': failure(400, 'Only PNG, JPEG and WebP pictures are supported.'),
  'property.picture_too_large': failure(413, 'A picture can be at most 2 MB.'),
  'property.pictures_full': failure(
    409,
    'The pictures of an organization can total at most 256 MB. Remove some, or use a smaller one.',
  ),
  'property.picture_missing': failure(404, 'There is no picture.'),
} as const;
