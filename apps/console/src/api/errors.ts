import type { FailureKey } from '@highline/contract';

/** A failed call in one form, whether the server, a proxy or the network caused it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when nothing answered. */
  readonly status: number;
  /** The product's own number where it has one: -6 on adding devices. */
  readonly code: number | undefined;
  readonly key: FailureKey | 'network' | undefined;
  /** The field of the form that is at fault. */
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly detail: unknown;
  /** Seconds until a retry makes sense; undefined when the server did not send any. */
  readonly retryAfter: number | undefined;
  /** Not the server answered, but a proxy in front of it. */
  readonly isOfProxy: boolean;

  constructor(facts: {
    readonly status: number;
    readonly message: string;
    readonly code?: number | undefined;
    readonly key?: ApiError['key'];
    readonly field?: string | undefined;
    readonly reason?: string | undefined;
    readonly detail?: unknown;
    readonly retryAfter?: number | undefined;
    readonly isOfProxy?: boolean;
  }) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.key = facts.key;
    this.field = facts.field;
    this.reason = facts.reason;
    this.detail = facts.detail;
    this.retryAfter = facts.retryAfter;
    this.isOfProxy = facts.isOfProxy ?? false;
  }
}

/** The product's own number for a device that cannot be added. */
const DEVICE_REJECTED = -6;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The message of a failed answer: the first of its `error` (a text, or its `message`), `data`, `message`, `reason` (SHR-01). */
export function messageOf(response: unknown): string | undefined {
  const fields = fieldsOf(response);
  if (fields === undefined) return text(response);
  return (
    text(fields.error) ??
    text(fieldsOf(fields.error)?.message) ??
    text(fields.data) ??
    text(fields.message) ??
    text(fields.reason)
  );
}

/** What the error page of a proxy means, which does not use our failure keys, with the message of the contract. */
function failureOfProxy(status: number, reported: string | undefined): readonly [FailureKey, string] | undefined {
  // Whatever a proxy with a sign-in of its own says: no call is answered until the person has signed in there again.
  if (status === 401) return ['session.invalid', 'Auth token timeout.'];
  if (reported !== undefined) return undefined;
  if (status >= 500) return ['server.busy', 'The server is busy. Try again in a moment.'];
  return status === 413 ? ['request.too_large', 'The request is too large.'] : undefined;
}

/**
 * The error of a failed answer.
 * @param answer undefined when the body was not JSON
 * @param retryAfter the header of that name: whole seconds
 */
export function errorOf(status: number, response: unknown, retryAfter: string | null = null): ApiError {
  const error = fieldsOf(fieldsOf(response)?.error);
  const reported = messageOf(response);
  const reason = text(error?.reason) ?? text(fieldsOf(response)?.reason);
  const key = text(error?.key) as FailureKey | undefined;
  const meant = key === undefined ? failureOfProxy(status, reported) : undefined;
  return new ApiError({
    status,
    message: meant?.[1] ?? reported ?? `HTTP ${status}`,
    code: typeof error?.code === 'number' ? error.code : undefined,
    key: key ?? meant?.[0],
    field: text(error?.field),
    // A response that has nothing else: the reason is its message.
    reason: reason === reported ? undefined : reason,
    detail: error?.detail,
    retryAfter: retryAfter !== null && /^\d+$/u.test(retryAfter) ? Number(retryAfter) : undefined,
    isOfProxy: meant !== undefined,
  });
}

/** What is shown below the message: the reason of a rejected device or file, which names the one that is meant; '' for others. */
export function explanationOf(error: unknown): string {
  if (!(error instanceof ApiError)) return '';
  const isNamed = /^(?:device|inventory|csv)\./u.test(error.key ?? '') || error.code === DEVICE_REJECTED;
  return isNamed ? (error.reason ?? '') : '';
}

/** Nothing answered: no network, no server. */
export function networkError(): ApiError {
  return new ApiError({ status: 0, key: 'network', message: 'The server cannot be reached.' });
}

/** True for a call that the server never received or never answered. */
export function isNetworkFault(error: unknown): boolean {
  return error instanceof ApiError && error.key === 'network';
}

/**
 * True when a message says that the session is over (AUTH-06): it equals 'Access token not found' or 'Auth token timeout.',
 * or contains 'token', which no other server message does.
 */
export function endsSession(message: string): boolean {
  return message.includes('token');
}

/** The message for an ended session: 'Auth token timeout', without the period that the API message has (AUTH-06). */
export function displayed(message: string): string {
  return message === 'Auth token timeout.' ? 'Auth token timeout' : message;
}

/** What a call finds; null = it does not exist, or may not be seen. */
export async function nullIfMissing<Found>(find: () => Promise<Found>): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
