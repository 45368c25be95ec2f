import type { AnyOperation } from '../platform/calls/call.ts';
import { formOf } from './call.ts';
import type { Request } from './matrix-fixtures/fixture.ts';

export interface MatrixAnswer {
  readonly status: number;
  readonly text: string;
}

/** An answer that no call of the matrices may get. */
export class ServerFault extends Error {}

/** Calls that change nothing, although their method could. */
const previews: ReadonlySet<string> = new Set([
  'accounts.loginFrame',
  'accounts.introspect',
  // Stores an existing session in a cookie.
  'accounts.openSession',
  // Previews the effect of a binding.
  'bindings.impact',
  'bindings.moveImpact',
  'devices.exportChosen',
  // Counts what a job would change.
  'jobs.preview',
  'usagePlans.preview',
  // Draws data of records.
  'analysis.prepare',
  // How often a rule would have fired.
  'alerts.replay',
]);

/** Readings that the log names, since what they answer may hold passwords. */
const loggedReadings: ReadonlySet<string> = new Set(['configs.read']);

/** Whether a call neither changes anything nor is logged. */
export function isReading({ id, method }: AnyOperation): boolean {
  return !loggedReadings.has(id) && (method === 'GET' || previews.has(id));
}

/**
 * Send a call of the matrix; of an event stream, only the first bytes are read.
 * @throws ServerFault where it is answered with a status of 500 or more
 */
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
    ...(operation.bodyKind === 'multipart'
      ? { body: formOf(request.body as Record<string, string>, { contents: request.file }) }
      : {}),
  });
  if (response.status >= 500) throw new ServerFault(`${operation.id}: ${response.status} ${await response.text()}`);
  if (operation.answer !== 'events' || response.status !== 200) return { status: response.status, text: await response.text() };
  const first = await response.body!.getReader().read();
  stop.abort();
  return { status: response.status, text: new TextDecoder().decode(first.value) };
}
