import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'backup.not_found': failure(404, 'This backup no longer exists.'),
  'backup.other_model': failure(
    409,
    'This backup is of another model than the router that the device has now. It can only be restored to the same model.',
  ),
  'backup.not_offered': failure(409, 'The data model of this router has no command to restore its configuration.'),
} as const;
