import type { Failure } from '@highline/contract';
import { createPauses } from './pauses.ts';

/** One HTTP response, completely read. */
export interface Responded {
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
  /** Sent as JSON; a text and a form are sent unchanged. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Send one request; redirects are returned, not followed. */
export async function send(url: string, { method, bearer, cookie, headers, body, signal }: Sent = {}): Promise<Responded> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
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

/** Send a call that must succeed. @returns its result @throws Error with the response */
export async function ask<T>(url: string, sent?: Sent): Promise<T> {
  const response = await send(url, sent);
  if (response.status !== 200)
    throw new Error(`${sent?.method ?? ''} ${url}: ${response.status} ${response.text.slice(0, 1_000)}`);
  return response.json<{ result: T }>().result;
}

/** A multipart body of texts, and of one file if it has contents. */
export function formOf(
  fields: Readonly<Record<string, string>> = {},
  { field = 'file', name = 'rows.csv', contents }: FormFile = {},
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  if (contents !== undefined) form.append(field, new Blob([contents], { type: 'text/csv' }), name);
  return form;
}

interface FormFile {
  readonly field?: string;
  /** File name given by the sender. */
  readonly name?: string;
  readonly contents?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Sign in to a demo server as one of its people. */
export function signInToDemo(server: string, name: 'main' | 'admin' | 'user'): Promise<{ id: string; vap: string }> {
  return ask(`${server}/dmp_aa/api/v1/auth/token`, { body: { email: `${name}@highline.demo`, password: 'highline-demo' } });
}

/** Add routers to the inventory of a demo server, and claim them. @returns their secrets by serial number, and devices in order */
export async function addDemoRouters(
  server: string,
  { main, admin }: Readonly<Record<'main' | 'admin', string>>,
  routers: readonly { readonly serial: string; readonly mac: string }[],
): Promise<{ secrets: Map<string, string>; devices: string[] }> {
  const path = `${server}/data_manager/v1/dm`;
  const rows = routers.map(({ serial, mac }) => `${serial},${mac}\n`).join('');
  const file = formOf({}, { contents: `SN,MAC\n${rows}` });
  const { minted } = await ask<{ minted: { serial: string; secret: string }[] }>(`${path}/inventory/batch`, {
    bearer: main,
    body: file,
  });
  const period = { started: '01/01/2026', expired: '12/31/2036' };
  const devices = routers.map(({ serial, mac }) => ({ serial_number: serial, mac, ...period }));
  const claimed = await ask<{ device: string }[]>(`${path}/devices`, { bearer: admin, body: { devices } });
  return {
    secrets: new Map(minted.map(({ serial, secret }) => [serial, secret])),
    devices: claimed.map(({ device }) => device),
  };
}

/** A clock that stands still until it is advanced or set. */
export function createMovingClock(start: Date | string = new Date()) {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    advance(milliseconds: number): void {
      now += milliseconds;
    },
    set(at: string): void {
      now = new Date(at).getTime();
    },
  };
}

/** Wait until a condition holds; limited only by the test's own timeout. */
export async function until<T>(read: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const nextLook = createPauses();
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    await nextLook();
  }
}
