import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'config.not_found': failure(404, 'This config file does not exist.'),
  'config.empty': failure(400, 'The file is empty.'),
  'config.too_large': failure(413, 'The file exceeds the size limit for config files.'),
  'config.bound': failure(409, 'This config file is bound to groups. Remove it from them first.'),
} as const;
