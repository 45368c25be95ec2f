import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'link.not_found': failure(404, 'This link does not exist.'),
  'link.over': failure(410, 'This link has ended.'),
  'link.too_many': failure(409, 'There can be at most 200 active links. End one first.'),
  'link.shows_one': failure(400, 'Choose either a vehicle or a group.'),
} as const;
