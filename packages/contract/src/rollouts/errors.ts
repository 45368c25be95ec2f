import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'binding.schedule': failure(400, 'To postpone, choose the schedule Up on next bootup and a time in the future.'),
  'rollout.not_found': failure(404, 'This rollout no longer exists.'),
  'rollout.ended': failure(409, 'This rollout has ended.'),
} as const;
