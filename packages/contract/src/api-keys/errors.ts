import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'key.not_found': failure(404, 'This API key does not exist.'),
  'key.ended': failure(409, 'This API key was revoked or has expired.'),
  'key.too_many': failure(409, 'There can be at most 50 API keys. Revoke one first.'),
  'key.operation_unknown': failure(400, 'You cannot allow an API key to make this call. Choose other calls.'),
  'key.range_invalid': failure(400, 'This is not an IP range. Use CIDR, for example 203.0.113.0/24 or 2001:db8::/32.'),
  'key.no_limit': failure(400, 'Only API keys of one organization can be limited to groups and tags.'),
  'key.expiry_past': failure(400, 'The expiry must be in the future.'),
} as const;
