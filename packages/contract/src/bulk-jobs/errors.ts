import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'job.not_found': failure(404, 'This job no longer exists.'),
  'job.too_many': failure(409, 'Five jobs are still running. Wait until one of them has ended, or cancel it.'),
  'job.active': failure(409, 'This job is still running. Wait until it has ended, or cancel it.'),
  'job.ended': failure(409, 'This job has ended.'),
  'job.nothing_selected': failure(400, 'No device matches. Choose at least one.'),
  'job.nothing_failed': failure(409, 'No device of this job failed, or the failed ones were already retried.'),
  'job.not_undoable': failure(409, 'This job cannot be undone, or was already undone.'),
} as const;
