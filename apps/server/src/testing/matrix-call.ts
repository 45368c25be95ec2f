import type { AnyOperation } from '../platform/calls/call.ts';
import type { Request } from './matrix-fixtures/fixture.ts';

export interface MatrixAnswer {
  readonly status: number;
  readonly text: string;
}

/** Send a call of the matrix; of an event stream, only the first bytes are read. */
export async function sendCall(
  server: string,
  operation: AnyOperation,
  request: Request,
  bearer: string | undefined,
): Promise<MatrixAnswer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(request.params?.[name] ?? ''));
  const query = new URLSearchParams(request.query ?? {}).toString();
  const stop = new AbortController();
  const response = await fetch(`${server}${path}${query === '' ? '' : `?${query}`}`, {
    method: operation.method,
    signal: stop.signal,
    redirect: 'manual',
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(operation.bodyKind === 'json' ? { 'content-type': 'application/json' } : {}),
    },
    ...(operation.bodyKind === 'json' ? { body: JSON.stringify(request.body ?? {}) } : {}),
    ...(operation.bodyKind === 'form' ? { body: new URLSearchParams(request.body as Record<string, string>) } : {}),
    ...(operation.bodyKind === 'multipart' ? { body: form(request) } : {}),
  });
  if (operation.answer !== 'events' || response.status !== 200) return { status: response.status, text: await response.text() };
  const first = await response.body!.getReader().read();
  stop.abort();
  return { status: response.status, text: new TextDecoder().decode(first.value) };
}

function form(request: Request): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries((request.body ?? {}) as Record<string, string>)) data.append(name, value);
  if (request.file !== undefined) data.append('file', new Blob([request.file], { type: 'text/csv' }), 'rows.csv');
  return data;
}
