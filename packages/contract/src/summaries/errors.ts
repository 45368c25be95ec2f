import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'summary.not_found': failure(404, 'This summary does not exist.'),
  'summary.too_many': failure(409, 'There can be at most 50 summaries. Delete one first.'),
  'summary.no_recipient': failure(400, 'Enter at least one recipient, or choose not to send it.'),
  'summary.not_paused': failure(409, 'This recipient is not paused.'),
  'summary.file_gone': failure(404, 'This file is no longer kept.'),
  'logo.too_large': failure(413, 'The logo exceeds 512 kB.'),
  'logo.too_many_pixels': failure(400, 'The logo has too many pixels: at most 2,000 on each side and a million in all.'),
  'logo.unreadable': failure(
    400,
    'This is not a PNG or JPEG that can be printed: 8 bits for each colour, not interlaced, not CMYK.',
  ),
  'summary.link_invalid': failure(404, 'This link is no longer valid.'),
} as const;
