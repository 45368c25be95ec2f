import { failures, type FailureKey } from '@highline/contract';

/** What a failure says beyond its key. */
export interface FailureDetail {
  /** Replaces the table's message; never names a secret, never holds the word the console signs out at (AUTH-06). */
  readonly message?: string;
  /** The field of the request that was wrong, as a path of the wire names. */
  readonly field?: string;
  readonly reason?: string;
  readonly detail?: unknown;
  /** Seconds until it is worth trying again. */
  readonly retryAfter?: number;
}

/** The one error a service throws on purpose; http/ alone turns it into a status and an envelope. */
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
