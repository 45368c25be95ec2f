import { failures, type FailureKey } from '@highline/contract';

/** Details of a failure besides its key. */
export interface FailureDetail {
  /** Replaces the default message; never contains a secret or the word that signs the console out (AUTH-06). */
  readonly message?: string;
  /** The invalid field of the request, as a path of API names. */
  readonly field?: string;
  readonly reason?: string;
  readonly detail?: unknown;
  /** Seconds until a retry is worthwhile. */
  readonly retryAfter?: number;
}

/** The only error that services throw deliberately; http/ alone maps it to a status and an envelope. */
export class DomainError extends Error {
  readonly key: FailureKey;
  readonly more: FailureDetail;

  constructor(key: FailureKey, more: FailureDetail = {}) {
    super(more.message ?? failures[key].message);
    this.name = 'DomainError';
    this.key = key;
    this.more = more;
  }
}

/** What is wrong with a field of a request: `until: must not be before the first day`. */
export const invalidField = (field: string, problem: string): DomainError =>
  new DomainError('request.invalid', { message: `${field}: ${problem}`, field });

/** @throws DomainError with this key when there is no value */
export function required<Value>(value: Value | undefined, key: FailureKey, more?: FailureDetail): Value {
  if (value === undefined) throw new DomainError(key, more);
  return value;
}
