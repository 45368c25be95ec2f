import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'settings.one_level': failure(400, 'Name either a group or a device, not both.'),
  'settings.invalid_value': failure(400, 'This value does not fit. Check the field and try again.'),
  'settings.nothing_differs': failure(409, 'The router reports nothing else than what is set.'),
} as const;
