import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'permission.visitor': failure(403, 'Support and guests cannot do this. Ask an admin of the organization.'),
  'visit.not_found': failure(404, 'This access does not exist.'),
  'visit.over': failure(409, 'This access has ended.'),
  'visit.is_member': failure(409, 'This person belongs to your company already.'),
  'visit.open_already': failure(409, 'This person is a guest of your organization already.'),
  'visit.too_many': failure(409, 'There can be at most 100 guests and support accesses. End one first.'),
} as const;
