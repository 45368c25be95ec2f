interface FirstCall {
  readonly response: Promise<Response>;
  /** By performance.now(). */
  readonly at: number;
  isUsed?: boolean;
}

declare global {
  interface Window {
    /** Calls that public/first-calls.js has started, by method and address. */
    highlineFirstCalls?: Map<string, FirstCall>;
  }
}

/** An older answer is not used: the page was left open before it needed one. */
const MOST_AGE_MS = 10_000;

const started = (): Map<string, FirstCall> | undefined => globalThis.window?.highlineFirstCalls;

/**
 * The answer to a call that was started while the code of the page was loading; each is used once.
 * @param address with its query, as the call would request it
 * @returns undefined when there is none, or it is old
 */
export function takeFirstCall(method: string, address: string): Promise<Response> | undefined {
  const call = started()?.get(`${method} ${address}`);
  if (call === undefined || call.isUsed === true || performance.now() - call.at > MOST_AGE_MS) return undefined;
  call.isUsed = true;
  return call.response;
}
