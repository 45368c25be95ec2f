import type { Calls } from './calls.generated.ts';
import { CallFailed, ServerUnreachable } from './errors.ts';
import { readEvents } from './events.ts';
import { asksToRepeat, pause, pauseBefore, retryAfterOf, type Retries } from './retries.ts';
import { requestOf, type AnyInput, type HttpRequest } from './requests.ts';

type CallOfKind<Kind extends string> = { [Id in keyof Calls]: Calls[Id]['kind'] extends Kind ? Id : never }[keyof Calls];
/** Ids of calls that answer JSON. */
export type JsonCall = CallOfKind<'json' | 'empty'>;
/** Ids of calls that answer a file. */
export type FileCall = CallOfKind<'file'>;
/** Ids of calls that answer a stream of events. */
export type EventCall = CallOfKind<'events'>;
/** Ids of lists that come in pages. */
export type ListCall = {
  [Id in JsonCall]: Calls[Id]['answer'] extends { next?: string | null | undefined } & (
    | { result: readonly unknown[] }
    | { result: { list: readonly unknown[] } }
  )
    ? Id
    : never;
}[JsonCall];

/** What a call takes. */
export type InputOf<Id extends keyof Calls> = Calls[Id]['input'];
/** What a call answers. */
export type AnswerOf<Id extends keyof Calls> = Calls[Id]['answer'];
/** One row of a list. */
export type RowOf<Id extends ListCall> =
  AnswerOf<Id> extends { result: readonly (infer Row)[] }
    ? Row
    : AnswerOf<Id> extends { result: { list: readonly (infer Row)[] } }
      ? Row
      : never;

/** The last arguments of a call; what it takes can be left out when nothing in it is required. */
export type Rest<Id extends keyof Calls> =
  Record<string, never> extends InputOf<Id>
    ? [input?: InputOf<Id>, options?: CallOptions]
    : [input: InputOf<Id>, options?: CallOptions];

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Sent as Idempotency-Key by calls that take one. Left out: a new one for each call, so that its own repetitions are done once. Give
   * your own to repeat a call after your program was restarted.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Called with the event id of the answer, before the answer or the first row is there. `events('live.stream', { query: { after: id } })`
   * begins with what has changed since, so that a program follows what it has read without a gap.
   */
  readonly onEventId?: ((id: string) => void) | undefined;
}

export interface ClientOptions {
  /** Scheme, host and port, such as `https://fleet.example.com`. */
  readonly server: string;
  /** An API key, or the token of a session; left out for calls that need neither. */
  readonly key?: string | undefined;
  readonly retries?: Partial<Retries> | undefined;
  /** Instead of the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

/** A file as it arrives. */
export interface Download {
  /** As the server names it; undefined = it does not. */
  readonly name: string | undefined;
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

const usualRetries: Retries = { most: 5, longestSeconds: 120 };
const PAGE_ROWS = 200;
/** Answers to a key or session tell where their events begin. */
const EVENT_ID = 'highline-event-id';

/** Calls of one server with one key (HKS-03). Every call that fails throws `CallFailed` or `ServerUnreachable`. */
export class Client {
  readonly server: string;
  readonly #key: string | undefined;
  readonly #retries: Retries;
  readonly #fetch: typeof fetch;

  /** @throws TypeError when `server` is not an http or https address */
  constructor({ server, key, retries, fetch: ownFetch }: ClientOptions) {
    const url = URL.parse(server);
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      throw new TypeError('The server is an address with http:// or https:// and a host.');
    this.server = url.origin;
    this.#key = key;
    this.#retries = { ...usualRetries, ...retries };
    this.#fetch = ownFetch ?? ((...args) => fetch(...args));
  }

  /** One call with a JSON answer. */
  async call<Id extends JsonCall>(id: Id, ...[input, options]: Rest<Id>): Promise<AnswerOf<Id>> {
    return (await this.#send(requestOf(id, asAny(input)), options ?? {}, jsonOf)) as AnswerOf<Id>;
  }

  /** Every row of a list, page by page, fetched as they are needed. A `limit` in the query is the size of the pages. */
  async *each<Id extends ListCall>(id: Id, ...[input, options]: Rest<Id>): AsyncGenerator<RowOf<Id>, void, undefined> {
    let cursor: string | null | undefined;
    // What changes after the first page was read counts.
    let read = options ?? {};
    do {
      const given = asAny(input);
      const query = { limit: PAGE_ROWS, ...given.query, ...(cursor === undefined ? {} : { cursor }) };
      const page = (await this.#send(requestOf(id, { ...given, query }), read, jsonOf)) as {
        result: RowOf<Id>[] | { list: RowOf<Id>[] };
        next?: string | null;
      };
      read = { ...read, onEventId: undefined };
      yield* Array.isArray(page.result) ? page.result : page.result.list;
      cursor = page.next;
    } while (cursor !== null && cursor !== undefined);
  }

  /** A file, which is not read before its body is. */
  async download<Id extends FileCall>(id: Id, ...[input, options]: Rest<Id>): Promise<Download> {
    const response = await this.#send(requestOf(id, asAny(input)), options ?? {}, unread);
    const { headers } = response;
    return {
      name: nameIn(headers.get('content-disposition')),
      type: headers.get('content-type') ?? 'application/octet-stream',
      body: response.body ?? new Blob([]).stream(),
    };
  }

  /**
   * Changes as they happen, without end: a lost connection is opened again where it was. Leave the loop, or abort the signal, to
   * end it.
   */
  async *events<Id extends EventCall>(id: Id, ...[input, options]: Rest<Id>): AsyncGenerator<AnswerOf<Id>, void, undefined> {
    const request = requestOf(id, asAny(input));
    const { signal } = options ?? {};
    let last = '';
    let attempt = 0;
    for (;;) {
      const headers = last === '' ? request.headers : { ...request.headers, 'last-event-id': last };
      const response = await this.#send({ ...request, headers }, { signal }, unread);
      try {
        for await (const event of readEvents(response.body ?? new Blob([]).stream())) {
          attempt = 0;
          if (event.id !== '') last = event.id;
          yield JSON.parse(event.data) as AnswerOf<Id>;
        }
      } catch (error) {
        if (signal?.aborted === true || error instanceof SyntaxError) throw error;
      }
      attempt += 1;
      await pause(Math.min(pauseBefore(attempt, undefined, Math.random), this.#retries.longestSeconds), signal);
    }
  }

  /**
   * Send a call until it is answered with more than "later".
   * @param read reads of the answer what belongs to the call: when the connection ends in it, there was no answer
   */
  async #send<T>(
    request: HttpRequest,
    { signal, idempotencyKey, onEventId }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    let eventId: string | null = null;
    const readAnswer = (response: Response) => {
      eventId = response.headers.get(EVENT_ID);
      return read(response);
    };
    const key = request.takesKey ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isRepeatable = request.method !== 'POST' || key !== undefined;
    const init: RequestInit = {
      method: request.method,
      headers: {
        ...request.headers,
        ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
      // A key must not follow to another address.
      redirect: 'manual',
    };
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(request.address, init, isRepeatable, readAnswer);
      if ('value' in tried) {
        if (eventId !== null) onEventId?.(eventId);
        return tried.value;
      }
      const { failure, mayRepeat } = tried;
      const retryAfter = failure instanceof CallFailed ? failure.retryAfter : undefined;
      const seconds = pauseBefore(attempt, retryAfter, Math.random);
      if (!mayRepeat || attempt > this.#retries.most || (retryAfter ?? seconds) > this.#retries.longestSeconds) throw failure;
      await pause(seconds, signal);
    }
  }

  async #try<T>(
    address: string,
    init: RequestInit,
    isRepeatable: boolean,
    read: (response: Response) => Promise<T>,
  ): Promise<Tried<T>> {
    try {
      const response = await this.#fetch(`${this.server}${address}`, init);
      if (response.ok) return { value: await read(response) };
      const failure = await this.#failureOf(response);
      return { failure, mayRepeat: asksToRepeat(failure.status, failure.key) };
    } catch (error) {
      if (init.signal?.aborted === true || error instanceof SyntaxError) throw error;
      return { failure: new ServerUnreachable(this.server, error), mayRepeat: isRepeatable };
    }
  }

  async #failureOf(response: Response): Promise<CallFailed> {
    const { status, headers } = response;
    const location = headers.get('location');
    if (location !== null && status >= 300 && status < 400) {
      await response.body?.cancel();
      const message = `${this.server} redirects to ${location}. Use that address as the server.`;
      return new CallFailed(status, { error: { key: 'redirected', message } }, undefined);
    }
    const answer: unknown = await response.json().catch(() => undefined);
    return new CallFailed(status, answer, retryAfterOf(headers.get('retry-after'), Date.now()));
  }
}

type Tried<T> = { readonly value: T } | { readonly failure: CallFailed | ServerUnreachable; readonly mayRepeat: boolean };

const unread = async (response: Response): Promise<Response> => response;

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

const asAny = (input: unknown): AnyInput => input ?? {};

/** The file name of a Content-Disposition (RFC 6266); without folders. */
function nameIn(header: string | null): string | undefined {
  if (header === null) return undefined;
  const encoded = /filename\*=UTF-8''([^;]+)/iu.exec(header)?.[1];
  const plain = /filename="([^"]*)"/iu.exec(header)?.[1];
  try {
    const name = encoded === undefined ? plain : decodeURIComponent(encoded);
    return name?.split(/[\\/]/u).at(-1);
  } catch {
    return plain;
  }
}
