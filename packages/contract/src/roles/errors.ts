import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'role.not_found': failure(404, 'This role does not exist.'),
  'role.name_taken': failure(409, 'There is already a role with this name.'),
  'role.too_many': failure(409, 'There can be at most 100 roles. Delete one first.'),
  'role.right_unknown': failure(400, 'A role cannot have this right. Choose other rights.'),
  'role.in_use': failure(409, 'People have this role. Choose the role that they get instead.'),
  'role.no_limit': failure(400, 'Roles of the main account are not limited to groups or tags.'),
  'role.limit_empty': failure(400, 'Choose at least one group or tag, or let the role see everything.'),
  'role.inactive': failure(409, 'This person is not active. Activate them first, then give the role.'),
  'role.admin_exists': failure(
    409,
    'In an organization with an admin, the main account gives only what it may do there itself. Ask one of its admins.',
  ),
  'permission.own_role': failure(403, 'Your role does not allow this. Ask an admin.'),
} as const;
