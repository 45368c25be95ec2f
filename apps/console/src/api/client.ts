import type { Operation } from '@highline/contract';
import type { z } from 'zod';
import { noteContact } from './connection.ts';
import { noteDataAge } from './dataAge.ts';
import { eventIds } from './event-id.ts';
import { takeFirstCall } from './first-calls.ts';
import { type ApiError, endsSession, errorOf, networkError } from './errors.ts';

// Exactly "nothing is required": what an absent part is.
type Absent = {};

/** A part of the input: optional where nothing in it is required. */
type Part<Name extends string, Value> = unknown extends Value
  ? { readonly [Key in Name]?: Value }
  : Absent extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** The arguments of a call. `files` go into a multipart body, `ifMatch` is the ETag the change is based on. */
export type CallInput<Op extends Operation> = Part<'params', z.output<Op['params']>> &
  Part<'query', z.output<Op['query']>> &
  Part<'body', z.input<Op['body']>> & {
    readonly files?: Readonly<Record<string, File>>;
    readonly ifMatch?: string;
    readonly signal?: AbortSignal;
  };

/** The version that a save is based on, as an argument of its call; without one it is not compared. */
export const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { ifMatch: etag });

/** The query of a call. */
export type CallQuery<Op extends Operation> = z.output<Op['query']>;

/** The result of a call. */
export type CallResponse<Op extends Operation> = z.output<Op['response']>;

interface RawInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly files?: Readonly<Record<string, File>>;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

type Scalar = string | number | boolean;
type Fields = Readonly<Record<string, Scalar | undefined>>;

function givenFields(value: unknown): [string, string][] {
  return Object.entries((value ?? {}) as Fields)
    .filter((entry): entry is [string, Scalar] => entry[1] !== undefined)
    .map(([name, field]) => [name, String(field)]);
}

/** The address of an operation with its placeholders and query filled in. */
export function addressOf(operation: Pick<Operation, 'path'>, input: Pick<RawInput, 'params' | 'query'> = {}): string {
  const params = new Map(givenFields(input.params));
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_whole, name: string) => encodeURIComponent(params.get(name) ?? ''));
  const query = new URLSearchParams(givenFields(input.query)).toString();
  return query === '' ? path : `${path}?${query}`;
}

function multipart(body: unknown, files: Readonly<Record<string, File>>): FormData {
  const form = new FormData();
  // Text fields first: the server reads the stream in order and needs to know the owner before the file arrives.
  for (const [name, value] of givenFields(body)) form.append(name, value);
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return form;
}

function requestOf(operation: Operation, input: RawInput): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (input.ifMatch !== undefined) headers['if-match'] = input.ifMatch;
  const request: RequestInit = { method: operation.method, credentials: 'same-origin', headers, signal: input.signal ?? null };
  switch (operation.bodyKind) {
    case 'json':
      if (input.body === undefined) return request;
      headers['content-type'] = 'application/json';
      return { ...request, body: JSON.stringify(input.body) };
    case 'form':
      return { ...request, body: new URLSearchParams(givenFields(input.body)) };
    case 'multipart':
      return { ...request, body: multipart(input.body, input.files ?? {}) };
    case 'none':
      return request;
  }
}

let sessionLost: (error: ApiError) => void = () => undefined;

/** Register a listener for the end of the session, whichever call reported it (AUTH-06). */
export function onSessionLost(listener: (error: ApiError) => void): void {
  sessionLost = listener;
}

/** The error of a failed answer, as `errorOf`; if it ends the session, listeners are notified first. */
export function readFailure(...answer: Parameters<typeof errorOf>): ApiError {
  const error = errorOf(...answer);
  if (endsSession(error.message)) sessionLost(error);
  return error;
}

let changed: () => void = () => undefined;

/** Register a listener for a call that changed something: what the page fetched before may be outdated, whether an event reports it or not. */
export function onChanged(listener: () => void): void {
  changed = listener;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch {
    return undefined;
  }
}

/** Send a call. Throws an `ApiError` on failure; if the failure ends the session, listeners are notified first. */
async function send(operation: Operation, input: RawInput): Promise<Response> {
  let response: Response;
  try {
    const address = addressOf(operation, input);
    const isPlain = input.body === undefined && input.ifMatch === undefined;
    const started = isPlain ? takeFirstCall(operation.method, address) : undefined;
    response = await (started ?? fetch(address, requestOf(operation, input)));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw networkError();
  }
  // A proxy that finds no server answers 502 to 504.
  if (response.status < 502) noteContact();
  noteDataAge(response, operation.method === 'GET');
  eventIds.note(response);
  if (response.ok) {
    if (operation.method !== 'GET') changed();
    return response;
  }
  throw readFailure(response.status, await jsonOf(response), response.headers.get('retry-after'));
}

/**
 * Call an operation of the contract.
 *
 * @example
 * const { result } = await call(devices.listDevices, { query: { limit: 10 } });
 */
export async function call<Op extends Operation>(operation: Op, input: CallInput<Op>): Promise<CallResponse<Op>> {
  return (await (await send(operation, input)).json()) as CallResponse<Op>;
}

/** Call an operation that takes nothing but a query. */
export async function callQuery<Op extends Operation>(
  operation: Op,
  query: CallQuery<Op>,
  signal: AbortSignal,
): Promise<CallResponse<Op>> {
  return (await (await send(operation, { query, signal })).json()) as CallResponse<Op>;
}

/** Call an operation and keep the ETag of its response, for an `ifMatch` later. */
export async function callTagged<Op extends Operation>(
  operation: Op,
  input: CallInput<Op>,
): Promise<{ readonly response: CallResponse<Op>; readonly etag: string | undefined }> {
  const response = await send(operation, input);
  return { response: (await response.json()) as CallResponse<Op>, etag: response.headers.get('etag') ?? undefined };
}

/** Call an operation and store how far the server's clock is ahead of this one, in ms, with the one-second precision of its `Date` header. */
export async function callDated<Op extends Operation>(
  operation: Op,
  input: CallInput<Op>,
): Promise<{ readonly response: CallResponse<Op>; readonly ahead: number }> {
  const response = await send(operation, input);
  const serverTime = Date.parse(response.headers.get('date') ?? '');
  return { response: (await response.json()) as CallResponse<Op>, ahead: Number.isNaN(serverTime) ? 0 : serverTime - Date.now() };
}

/** Fetch a file that an operation answers. */
export async function callFile<Op extends Operation>(operation: Op, input: CallInput<Op>): Promise<Blob> {
  return (await send(operation, input)).blob();
}

/** How the file is fetched that an operation answers to a query. */
export function filesOf<Op extends Operation>(operation: Op): (query: CallQuery<Op>) => Promise<Blob> {
  return async (query) => (await send(operation, { query })).blob();
}
