import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'binding.schedule': failure(400, 'To postpone, choose the schedule Up on next bootup and a time in the future.'),
  'binding.first': failure(400, 'None of the vehicles that go first is in this group.'),
  'binding.settings': failure(409, 'These settings were saved again since you reviewed them. Review them once more.'),
  'binding.window': failure(400, 'A window needs hours, or something that has to hold for a vehicle.'),
  'binding.waves': failure(
    400,
    'Waves need routers that go first or rising shares; a number of hours goes with the rule for hours, and only with it.',
  ),
  'rollout.not_found': failure(404, 'This rollout no longer exists.'),
  'rollout.ended': failure(409, 'This rollout has ended.'),
} as const;
