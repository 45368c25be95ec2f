import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'report.too_slow': failure(503, 'This query takes too long. Choose fewer days, one group or one device.'),
  'report.too_many': failure(409, 'You have already saved 100 reports. Delete one first.'),
  'report.time_range': failure(400, 'The end must be after the start, and both within the retention period.'),
} as const;
