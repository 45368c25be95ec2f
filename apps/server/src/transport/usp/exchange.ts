import type { ResponseTo, UspBody, UspErrorBody, UspMessage, UspRequest } from '@highline/usp';
import type { Timed, TimerWheel } from './wheel.ts';

/** A request without a response; its effect is unknown. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly why: 'timeout' | 'disconnected' | 'busy';

  constructor(why: NoResponse['why']) {
    super(`The router did not answer (${why}).`);
    this.why = why;
  }
}

interface Pending {
  readonly message: UspMessage;
  readonly timeoutMs: number;
  resolve(body: UspBody): void;
  reject(error: NoResponse): void;
}

export interface ExchangeDeps {
  readonly wheel: TimerWheel;
  readonly awaitPingMs: number;
  readonly requestQueue: number;
  send(message: UspMessage): void;
  ping(): void;
}

/** Message ids carry a prefix unique to this process, so that late answers to an earlier process match nothing. */
const prefix = `${Date.now().toString(36)}-${process.pid.toString(36)}-`;
let count = 0;

/**
 * Requests to one router, one at a time: the next is sent when the previous one is answered or has timed out (DEVICE-PROTOCOL:
 * agents in the field stall on bursts). Sends a ping every half second while a response is due.
 */
export class Exchange implements Timed {
  due = 0;
  readonly #deps: ExchangeDeps;
  readonly #queue: Pending[] = [];
  #current: Pending | undefined;
  #gaveUpAt = 0;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
  }

  /** Whether a request waits for its response. */
  get isPending(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Send a request when its turn comes.
   * @returns the response, or the Error message with which the agent rejected the whole request
   * @throws NoResponse
   */
  async ask<T extends UspRequest['type']>(
    request: Extract<UspRequest, { type: T }>,
    timeoutMs: number,
  ): Promise<ResponseTo<T> | UspErrorBody> {
    const body = await new Promise<UspBody>((resolve, reject) => {
      if (this.#queue.length >= this.#deps.requestQueue) {
        reject(new NoResponse('busy'));
        return;
      }
      this.#queue.push({ message: { msgId: prefix + (++count).toString(36), body: request }, timeoutMs, resolve, reject });
      this.#next();
    });
    if (body.type === 'error' || body.type === `${request.type}_resp`) return body as ResponseTo<T> | UspErrorBody;
    // Treat a response of another type like a rejection.
    return { type: 'error', errCode: 7000, errMsg: `answered ${body.type} to ${request.type}`, paramErrs: [] };
  }

  /** Match an answer to the pending request. A late one is dropped. @returns whether it matched */
  responded({ msgId, body }: UspMessage): boolean {
    const current = this.#current;
    if (current?.message.msgId !== msgId) return false;
    this.#finish();
    current.resolve(body);
    this.#next();
    return true;
  }

  /** The connection has ended: no more answers will come. */
  end(): void {
    const left = [...(this.#current === undefined ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#finish();
    for (const pending of left) pending.reject(new NoResponse('disconnected'));
  }

  fire(now: number): void {
    const current = this.#current;
    if (current === undefined) return;
    if (now < this.#gaveUpAt) {
      this.#deps.ping();
      this.#wait(now);
      return;
    }
    this.#finish();
    current.reject(new NoResponse('timeout'));
    this.#next();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    if (this.#current === undefined) return;
    const { wheel, send } = this.#deps;
    this.#gaveUpAt = wheel.now + this.#current.timeoutMs;
    this.#wait(wheel.now);
    send(this.#current.message);
  }

  #wait(now: number): void {
    this.#deps.wheel.schedule(this, Math.min(this.#deps.awaitPingMs, this.#gaveUpAt - now));
  }

  #finish(): void {
    this.#current = undefined;
    this.#deps.wheel.cancel(this);
  }
}
