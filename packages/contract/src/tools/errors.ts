import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'tool.not_found': failure(404, 'This test no longer exists.'),
  'tool.no_file': failure(404, 'This test has no file, or its file was deleted after 7 days.'),
  'tool.running': failure(409, 'This router runs such a test already. Wait for its result.'),
  'tool.too_many': failure(409, 'Your organization runs 20 tests already. Wait until one has ended.'),
  'tool.too_many_files': failure(
    503,
    'Too many packet captures and logs arrive at this server at once. Try again in a few minutes.',
  ),
  'tool.plan_used_up': failure(409, 'The data plan of this SIM has less left than the test transfers. Nothing was sent.'),
  'tool.target_not_allowed': failure(
    409,
    'Your organization does not allow tests of this address. If it restricts addresses, enter an address instead of a name.',
  ),
  'tool.range_invalid': failure(400, 'This is no network in CIDR notation, such as 192.0.2.0/24.'),
} as const;
