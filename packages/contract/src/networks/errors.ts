import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'networks.other_cause': failure(409, 'This is no longer what is wrong. Look again.'),
} as const;
