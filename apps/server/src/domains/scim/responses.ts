import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { DISK_FULL, isDiskFull, isInvalidValue, isUniqueViolation } from '../../platform/ports/index.ts';
import { ScimFailure } from './failure.ts';
import { MESSAGES } from './schemas.ts';

export interface ProtocolDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Whether an error means that the database is not reachable, and may be soon. */
  readonly isBusy: (error: unknown) => boolean;
  /** The public URL; undefined in the demo, which is reached under any loopback address. */
  readonly publicUrl: string | undefined;
}

/** What the client gets of an error; only unknown ones are faults of ours, and only they are logged as such. */
export function failureOf(
  { isBusy, log }: ProtocolDeps,
  request: FastifyRequest,
  error: unknown,
): ScimFailure & { retryAfter?: number } {
  if (error instanceof ScimFailure) return error;
  if (isUniqueViolation(error)) return new ScimFailure(409, 'This name or address is taken.', 'uniqueness');
  if (error instanceof DomainError) return failureOfDomain(error);
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ScimFailure(413, 'The body is too large.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ScimFailure(415, 'Send application/scim+json.');
  if (isDiskFull(error)) return Object.assign(new ScimFailure(503, DISK_FULL), { retryAfter: 30 });
  if (isBusy(error)) return Object.assign(new ScimFailure(503, 'The database is not reachable. Try again.'), { retryAfter: 2 });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new ScimFailure(400, 'The request is not valid.', 'invalidSyntax');
  log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'A call of a directory failed unexpectedly.');
  if (isInvalidValue(error)) return new ScimFailure(400, 'The request is not valid.', 'invalidValue');
  return new ScimFailure(500, 'Something went wrong here. It was logged.');
}

function failureOfDomain({ key, message, more }: DomainError): ScimFailure & { retryAfter?: number } {
  switch (key) {
    case 'account.exists':
      return new ScimFailure(409, 'This name or address is taken.', 'uniqueness');
    case 'account.too_many_tries':
      return Object.assign(new ScimFailure(429, 'Too many requests. Try again later.'), { retryAfter: more.retryAfter ?? 60 });
    case 'not_found':
      return new ScimFailure(404, 'There is nothing at this address.');
    case 'request.too_large':
      return new ScimFailure(413, message);
    case 'request.unsupported_media_type':
      return new ScimFailure(415, 'Send application/scim+json.');
    case 'server.busy':
      return Object.assign(new ScimFailure(503, message), { retryAfter: more.retryAfter ?? 2 });
    default:
      return new ScimFailure(400, message, 'invalidSyntax');
  }
}

/** RFC 7644, 3.12 */
export const errorOf = ({ status, scimType, message }: ScimFailure) => ({
  schemas: [`${MESSAGES}:Error`],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail: message,
});
