import { callTable, type Calls } from './calls.generated.ts';

type Field = string | number | boolean | null | undefined;
type Fields = Readonly<Record<string, Field | readonly Field[]>>;

/** What a call takes, whichever it is. */
export interface AnyInput {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: unknown;
  readonly file?: Blob | undefined;
  readonly fileName?: string;
}

/** A call as HTTP. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  /** It takes an Idempotency-Key: sent twice with the same one it is done once. */
  readonly takesKey: boolean;
}

/** @throws TypeError for a call that this version does not know, or without a part of its path */
export function requestOf(id: keyof Calls, input: AnyInput): HttpRequest {
  const row = Object.hasOwn(callTable, id) ? callTable[id] : undefined;
  if (row === undefined) throw new TypeError(`There is no call "${id}".`);
  const [method, path, bodyKind, , takesKey] = row;
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${id}: params.${name} is missing.`);
    return encodeURIComponent(String(value));
  });
  const query = fieldsOf(input.query).toString();
  const encoded = encodeBody(bodyKind, input);
  return {
    method,
    address: query === '' ? filled : `${filled}?${query}`,
    headers: encoded.type === undefined ? {} : { 'content-type': encoded.type },
    body: encoded.body,
    takesKey,
  };
}

function fieldsOf(fields: Fields | undefined): URLSearchParams {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(fields ?? {}))
    for (const each of typeof value === 'object' && value !== null ? value : [value])
      if (each !== undefined && each !== null) encoded.append(name, String(each));
  return encoded;
}

function encodeBody(kind: string, { body, file, fileName }: AnyInput): Pick<HttpRequest, 'body'> & { readonly type?: string } {
  if (kind === 'none') return { body: undefined };
  if (kind === 'json') return { type: 'application/json', body: JSON.stringify(body ?? {}) };
  const fields = fieldsOf(body as Fields | undefined);
  if (kind === 'form') return { type: 'application/x-www-form-urlencoded', body: fields.toString() };
  const form = new FormData();
  // Fields before the file: the server reads both as a stream.
  for (const [name, value] of fields) form.append(name, value);
  if (file !== undefined) form.append('file', file, fileName ?? (file instanceof File ? file.name : 'file'));
  return { body: form };
}
