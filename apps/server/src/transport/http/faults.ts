import { failures, type Failure, type FailureKey } from '@highline/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../kernel/failure.ts';
import { DISK_FULL, isDiskFull, isInvalidValue, isUnfinished } from '../../platform/ports/database.ts';
import type { Log } from '../../platform/ports/log.ts';

/** Build the envelope of DECISIONS for a failure. `code` is the number the product spec defines (-6), else the status. */
export function envelope(error: DomainError): { status: number; body: Failure } {
  const row = failures[error.key];
  const { field, reason, detail } = error.more;
  const say = error.key.startsWith('session.') ? (text: string) => text : withoutTrigger;
  return {
    status: row.status,
    body: {
      error: {
        code: 'code' in row ? row.code : row.status,
        key: error.key,
        message: say(error.message),
        ...(field === undefined ? {} : { field: say(field) }),
        ...(reason === undefined ? {} : { reason: say(reason) }),
        ...(detail === undefined ? {} : { detail }),
      },
    },
  };
}

/** Maximum length of a text that is too long: the console translates it. */
function longest(issue: z.core.$ZodIssue): { readonly most: number } | undefined {
  if (issue.code !== 'too_big' || issue.origin !== 'string') return undefined;
  return { most: Number(issue.maximum) };
}

/** Turn validation errors into one failure with messages and paths. */
export function invalidRequest(error: z.core.$ZodError): DomainError {
  const issues = error.issues.slice(0, 20).map((issue) => ({
    field: withoutTrigger(issue.path.join('.')),
    problem: withoutTrigger(issue.message),
    ...longest(issue),
  }));
  const first = issues[0];
  const message =
    first === undefined
      ? failures['request.invalid'].message
      : `${first.field === '' ? 'The request' : first.field}: ${first.problem}`;
  return new DomainError('request.invalid', {
    message,
    ...(first === undefined ? {} : { field: first.field }),
    detail: issues,
  });
}

/**
 * No message except those of a lost session may contain the word that signs the console out (AUTH-06); ours never do, echoes
 * might.
 */
function withoutTrigger(message: string): string {
  return message.replaceAll(/token/giu, '…');
}

const fastifyKeys: Record<string, FailureKey> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_REQ_FILE_TOO_LARGE: 'request.too_large',
  FST_FILES_LIMIT: 'request.invalid',
  FST_FIELDS_LIMIT: 'request.invalid',
  FST_PARTS_LIMIT: 'request.invalid',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported_media_type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.invalid',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** Map a thrown value to an error for the caller. Only unknown errors are faults of ours, and only they are logged as such. */
function asDomainError(error: unknown, isBusy: (error: unknown) => boolean): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (error instanceof z.core.$ZodError) return invalidRequest(error);
  if (isDiskFull(error)) return new DomainError('server.busy', { message: DISK_FULL, retryAfter: 30 });
  // What took too long would take as long again: browsers do not repeat it by themselves.
  if (isBusy(error)) return new DomainError('server.busy', { retryAfter: isUnfinished(error) ? 30 : 2 });
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : fastifyKeys[code];
  if (known !== undefined) return new DomainError(known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new DomainError('request.invalid');
  return undefined;
}

/**
 * The error handler of every route.
 * @param isBusy distinguishes a database that is away or overloaded from a bug
 */
export function faultHandler(log: Log, isBusy: (error: unknown) => boolean) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const known = asDomainError(error, isBusy);
    if (known === undefined)
      log.error(
        { err: error, requestId: request.id, route: request.routeOptions.url },
        'An API call failed with an unexpected error.',
      );
    if (isUnfinished(error))
      log.warn({ err: error, requestId: request.id, route: request.routeOptions.url }, 'PostgreSQL did not finish a call.');
    // A value that no check rejected before is logged, so that its check is added, and is the caller's all the same.
    const { status, body } = envelope(known ?? new DomainError(isInvalidValue(error) ? 'request.invalid' : 'server.fault'));
    // The file could not be produced, so there is nothing to save.
    reply.removeHeader('content-disposition');
    reply.header('cache-control', 'no-store');
    if (known?.more.retryAfter !== undefined) reply.header('retry-after', Math.ceil(known.more.retryAfter));
    await reply.code(status).type('application/json; charset=utf-8').send(body);
  };
}

/** Answer an unknown address. */
export async function sendNotFound(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { status, body } = envelope(new DomainError('not_found'));
  await reply.code(status).header('cache-control', 'no-store').send(body);
}
