import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';

/** What is read of the body of an answer. */
export interface Reading {
  readonly mostBytes: number;
  /** A body that is longer, or breaks off, is a fault; otherwise what came of it is enough, and the connection is closed. */
  readonly isWhole: boolean;
}

/** An answer as far as it is read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What is sent. */
export interface SentCall {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** A longer answer than is read. */
export class TooLong extends Error {}

/** No answer came in time. */
export class TimedOut extends Error {}

/**
 * Send a call and read its answer, all of it within this time. The handler of the dispatcher is used as it is: a stream for each body, a signal for each
 * limit and their listeners cost as much as the call.
 * @throws Error when there is no answer; with `isWhole` also `TooLong`
 */
export function readAnswer(agent: Agent, target: URL, call: SentCall, reading: Reading, timeoutMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const handler = new AnswerHandler(reading, resolve, reject);
  const timer = setTimeout(() => handler.end(new TimedOut()), timeoutMs);
  const { method, headers, body = null } = call;
  agent.dispatch(
    { origin: target.origin, path: target.pathname + target.search, method, headers: { ...headers }, body },
    handler,
  );
  return promise.finally(() => clearTimeout(timer));
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #start: Omit<Answer, 'body'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #ended: Error | undefined;
  readonly #reading: Reading;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;

  constructor(reading: Reading, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#reading = reading;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Read no further: what came is the answer, or this error is. */
  end(error: Error): void {
    this.#ended ??= error;
    if (this.#start !== undefined && !this.#reading.isWhole) this.onResponseEnd();
    else this.#reject(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended !== undefined) controller.abort(this.#ended);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Those below are information before the answer.
    if (status >= 200) this.#start = { status, headers };
  }

  onResponseData(_: Dispatcher.DispatchController, part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    const { mostBytes } = this.#reading;
    if (this.#bytes > mostBytes) this.end(new TooLong(`The answer is longer than ${mostBytes} bytes.`));
  }

  onResponseEnd(): void {
    this.#resolve({ ...this.#start!, body: Buffer.concat(this.#parts) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }
}
