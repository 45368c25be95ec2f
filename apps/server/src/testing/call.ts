import type { Failure } from '@highline/contract';
import type { Clock } from '../platform/ports/clock.ts';

/** One HTTP answer, completely read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws when it is not JSON. */
  json<T = unknown>(): T;
  /** The envelope of a failure. */
  error(): Failure['error'];
}

export interface Sent {
  readonly method?: string;
  readonly bearer?: string;
  /** `name=value; …` */
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
}

/** Send one request; redirects are returned, not followed. */
export async function send(url: string, { method, bearer, cookie, headers, body }: Sent = {}): Promise<Answered> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: <T>() => JSON.parse(text) as T,
    error: () => (JSON.parse(text) as Failure).error,
  };
}

/** A clock that stands still until it is advanced. */
export function createMovingClock(start = new Date()): Clock & { advance(milliseconds: number): void } {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Wait until a condition holds; limited only by the test's own timeout. */
export async function until<T>(read: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
