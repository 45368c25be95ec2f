/** How calls are repeated that the server did not do, or whose answer was lost. */
export interface Retries {
  /** The most repetitions of one call; 0 = none. */
  readonly most: number;
  /** The longest pause that is waited for, seconds; a server that asks for more ends the call with its failure. */
  readonly longestSeconds: number;
}

/** Statuses by which a server says that a call was not done, and may be sent again. */
const NOT_DONE = new Set([429, 503]);
const FIRST_PAUSE_SECONDS = 0.5;

/** Whether an answer asks to send the call again: too many calls, not ready, or the first one is still running. */
export function asksToRepeat(status: number, key: string): boolean {
  return NOT_DONE.has(status) || (status === 409 && key === 'idempotency.running');
}

/** Seconds of a Retry-After header, which is a number or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1_000);
}

/** Seconds before the next try: what the server requested, else twice the pause before, each up to a quarter longer. */
export function pauseBefore(attempt: number, retryAfter: number | undefined, random: () => number): number {
  return (retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** (attempt - 1)) * (1 + random() / 4);
}

/** @throws the signal's reason when it is aborted */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
