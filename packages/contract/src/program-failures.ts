import { failures as apiKeys } from './api-keys/program-failures.ts';
import { failureRow as failure } from './failure-row.ts';

/** The failures that only programs meet: the console does not load them, and has no texts for them. */
export const failuresOfPrograms = {
  'request.malformed': failure(400, 'This is not a valid HTTP request.'),
  'request.timeout': failure(408, 'The request did not arrive in time. Send it again.'),
  'request.headers_too_large': failure(
    431,
    'The address and the headers of the request are larger than 16 kB together. In a browser, delete the cookies of this site.',
  ),
  'request.rate_limited': failure(
    429,
    'Too many calls by this API key or by the keys of this organization. Wait as long as Retry-After says.',
  ),
  'idempotency.key_invalid': failure(400, 'An Idempotency-Key has 1 to 255 printable ASCII characters.'),
  'idempotency.other_request': failure(422, 'This Idempotency-Key was sent with another request before. Use a new one.'),
  'idempotency.running': failure(409, 'The first call with this Idempotency-Key is still running. Try again in a moment.'),
  'idempotency.answer_lost': failure(
    409,
    'This call was made before and took effect, but its answer is not stored. Read the current state instead of calling again.',
  ),
  ...apiKeys,
} as const;
