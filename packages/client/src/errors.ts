import type { FailureKey } from './calls.generated.ts';

/** The server answered that a call failed. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** HTTP status. */
  readonly status: number;
  /** What failed, as a documented key; servers of later versions may have more of them. */
  readonly key: FailureKey | (string & {});
  /** The field of the request that is wrong. */
  readonly field: string | undefined;
  readonly detail: unknown;
  /** Seconds after which the call may be sent again; undefined = the server did not say. */
  readonly retryAfter: number | undefined;

  constructor(status: number, answer: unknown, retryAfter: number | undefined) {
    const error = ((answer as { error?: unknown } | undefined)?.error ?? {}) as Readonly<Record<string, unknown>>;
    super(typeof error['message'] === 'string' ? error['message'] : `The server answered ${status}.`);
    this.status = status;
    this.key = typeof error['key'] === 'string' ? error['key'] : 'unknown';
    this.field = typeof error['field'] === 'string' ? error['field'] : undefined;
    this.detail = error['detail'];
    this.retryAfter = retryAfter;
  }
}

/** No answer came: the server cannot be reached, or the connection ended. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';

  constructor(server: string, cause: unknown) {
    const { message, cause: reason } = cause as Error;
    super(`${server} cannot be reached (${reason instanceof Error ? reason.message : message}).`, { cause });
  }
}
