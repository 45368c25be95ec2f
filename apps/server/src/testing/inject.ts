import type { HighlineServer } from '../compose/compose.ts';
import { formOf } from './call.ts';

/** One call of a test. */
export interface TestCall {
  readonly as?: { readonly sessionId: string };
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Content of a file to send as multipart; `body` then holds text fields. */
  readonly file?: string | Uint8Array<ArrayBuffer>;
  /** File name given by the sender. */
  readonly fileName?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  readonly status: number;
  readonly text: string;
  /** The raw body, for files. */
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/** What became of a call: it was done, or the key of its failure. */
export const outcomeOf = ({ status, json }: Pick<TestResponse, 'status' | 'json'>): string =>
  status === 200 ? 'done' : json.error?.key;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Call a server without a network. */
export async function inject(
  server: Pick<HighlineServer, 'inject'>,
  method: Method,
  path: string,
  { as, query = {}, body, file, fileName = 'rows.csv', headers }: TestCall = {},
): Promise<TestResponse> {
  const form = file === undefined ? body : formOf(body as Record<string, string> | undefined, { name: fileName, contents: file });
  const sent = form instanceof FormData || form instanceof URLSearchParams ? new Response(form) : undefined;
  const payload = sent === undefined ? (form as object | undefined) : Buffer.from(await sent.arrayBuffer());
  const response = await server.inject({
    method,
    url: path,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as.sessionId}` }),
      ...(sent === undefined ? {} : { 'content-type': sent.headers.get('content-type')! }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  const isJson = response.body !== '' && String(response.headers['content-type']).includes('application/json');
  const json = isJson ? (JSON.parse(response.body) as unknown) : undefined;
  return { status: response.statusCode, text: response.body, bytes: response.rawPayload, headers: response.headers, json };
}
