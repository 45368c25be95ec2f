import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'tool.not_found': failure(404, 'This test no longer exists.'),
  'tool.no_file': failure(404, 'This test has no file, or its file was deleted after 7 days.'),
  'tool.running': failure(409, 'This router runs such a test already. Wait for its result.'),
  'tool.too_many': failure(409, 'Your organization runs 20 tests already. Wait until one has ended.'),
  'tool.plan_used_up': failure(409, 'The data plan of this SIM has less left than the test transfers. Nothing was sent.'),
} as const;
