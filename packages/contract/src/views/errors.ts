import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'view.not_found': failure(404, 'This view no longer exists.'),
  'view.name_taken': failure(409, 'A view with this name already exists.'),
  'view.too_many': failure(409, 'There are 100 views already. Delete one first.'),
} as const;
