import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'notification.too_many': failure(409, 'Too many recipients. Remove one first.'),
  'mail.not_found': failure(404, 'This email was already sent or no longer exists.'),
} as const;
