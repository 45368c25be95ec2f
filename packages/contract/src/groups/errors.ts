import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'group.not_found': failure(404, 'This group does not exist.'),
  'group.name_taken': failure(409, 'A group with this name already exists.'),
  'group.is_default': failure(400, 'The default group cannot be renamed or deleted, and its devices cannot be edited.'),
  'group.not_movable': failure(409, 'Only subscribed devices in the default group can be moved into a group.'),
  'group.not_controllable': failure(
    409,
    'Full Control gives this person nothing: the person is an admin, has an own role or a limit, or has no access.',
  ),
} as const;
