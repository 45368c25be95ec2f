import { failureRow as failure } from '../failure-row.ts';

/** The failures that only programs meet. */
export const failures = {
  'key.malformed': failure(401, 'This API key is not complete. Copy it again from where it is stored.'),
  'key.unknown': failure(401, 'This API key does not exist or was replaced. Create a new one.'),
  'key.revoked': failure(401, 'This API key was revoked. Create a new one.'),
  'key.expired': failure(401, 'This API key has expired. Create a new one.'),
  'key.suspended': failure(401, 'The person who made this API key no longer has the rights for it. Create a new one.'),
  'key.network': failure(403, 'This API key may not be used from this network. Check its IP ranges.'),
  'key.not_allowed': failure(403, 'This API key is not allowed to make this call. Create one with this operation.'),
} as const;
