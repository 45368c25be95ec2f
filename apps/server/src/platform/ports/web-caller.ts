/** A call to an address that a user typed. */
export interface WebCall {
  /** The organization or main account of the call: names that are resolved slowly delay only calls of theirs. */
  readonly owner: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What became of a call. */
export interface WebResponse {
  /** HTTP status; null = there was none. */
  readonly status: number | null;
  /** Why there is no status, as a plain sentence; empty if there is one. */
  readonly fault: string;
  /** The start of the response's body. */
  readonly text: string;
  /** Milliseconds. */
  readonly took: number;
}

/** A call whose answer is read as a whole. */
export interface WebRequest extends Omit<WebCall, 'body'> {
  readonly method: 'GET' | 'POST';
  readonly body?: string | undefined;
  /** A longer answer is a fault. */
  readonly mostBytes: number;
}

/** The answer to it. */
export interface WebExchange extends WebResponse {
  /** The fault is that the answer is longer. */
  readonly isTooLong: boolean;
  /** The header `content-type`; empty without one. */
  readonly type: string;
  /** The header `date`; empty without one. */
  readonly date: string;
}

/** Finds the addresses of a host name. */
export interface HostResolver {
  /** @param signal ends the lookup: no one waits for it @throws Error when there is none, or it was ended */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Calls addresses that users type, and none of the network of this server. */
export interface WebCaller {
  /** Why an address is never called, as a plain sentence; undefined = it may be. Names are resolved only when they are called. */
  faultOf(url: string): string | undefined;
  /** Call once; faults are part of the response. */
  post(call: WebCall): Promise<WebResponse>;
  /** The same for an answer that is read as a whole. */
  exchange(call: WebRequest): Promise<WebExchange>;
  close(): Promise<void>;
}
