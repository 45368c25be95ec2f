import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'organization.key_reused': failure(
    409,
    'This form has already created an organization with different details. Check the list of organizations.',
  ),
  'organization.same_target': failure(409, 'These devices already belong to this organization.'),
} as const;
