import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'scim.too_many': failure(409, 'There can be at most 3 secrets. Revoke one first.'),
  'scim.secret_not_found': failure(404, 'This secret does not exist.'),
  'scim.group_not_found': failure(404, 'This group of the directory does not exist.'),
} as const;
