import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'summary.not_found': failure(404, 'This summary does not exist.'),
  'summary.too_many': failure(409, 'There can be at most 50 summaries. Delete one first.'),
  'summary.no_recipient': failure(400, 'Enter at least one recipient, or choose not to send it.'),
  'summary.link_invalid': failure(404, 'This link is no longer valid.'),
} as const;
