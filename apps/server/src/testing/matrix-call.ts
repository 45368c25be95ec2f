import type { AnyOperation } from '../platform/calls/call.ts';
import { formOf } from './call.ts';
import { inject } from './inject.ts';
import type { Request } from './fixture.ts';
import type { TestServer } from './server.ts';

export interface MatrixResponse {
  readonly status: number;
  readonly text: string;
}

/** A response that no call of the matrices may get. */
export class ServerFault extends Error {}

/** Calls that change nothing, although their method could. */
const previews: ReadonlySet<string> = new Set([
  'accounts.loginFrame',
  'accounts.introspect',
  // Stores an existing session in a cookie.
  'accounts.openSession',
  // Options that nothing is stored of.
  'accounts.beginPasskey',
  // Leads to the provider, whose answer is logged.
  'identityProviders.beginConfirmation',
  // Previews the effect of a binding.
  'bindings.impact',
  'bindings.moveImpact',
  'devices.exportChosen',
  // Counts what a job would change.
  'jobs.preview',
  'usagePlans.preview',
  'usagePlans.readFile',
  // What would change if values were saved.
  'settings.preview',
  // Draws data of records.
  'analysis.prepare',
  // How often a rule would have fired.
  'alerts.replay',
]);

/** Readings that the log names, since what they answer may hold passwords or what passengers sent. */
const loggedReadings: ReadonlySet<string> = new Set([
  'recordings.file',
  'configs.read',
  'tools.file',
  'tools.bundle',
  'routerBackups.file',
]);

/** Whether a call neither changes anything nor is logged. */
export function isReading({ id, method }: AnyOperation): boolean {
  return !loggedReadings.has(id) && (method === 'GET' || previews.has(id));
}

/**
 * Send a call of the matrix, without a socket unless it answers with an event stream; of that only the first bytes are read.
 * @throws ServerFault where it is answered with a status of 500 or more
 */
export async function sendCall(
  server: Pick<TestServer, 'inject' | 'url'>,
  { id, method, path: template, bodyKind, sends: kind }: AnyOperation,
  { params, query = {}, body, file }: Request,
  bearer: string | undefined,
): Promise<MatrixResponse> {
  const path = template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  if (kind === 'events') return openEvents(`${server.url}${path}?${new URLSearchParams(query).toString()}`, bearer);
  const sent = {
    none: () => undefined,
    json: () => body ?? {},
    form: () => new URLSearchParams(body as Record<string, string>),
    multipart: () => formOf(body as Record<string, string>, { contents: file }),
  }[bodyKind]();
  const as = bearer === undefined ? undefined : { sessionId: bearer };
  const { status, text } = await inject(server, method, path, { ...(as && { as }), query, body: sent });
  if (status >= 500) throw new ServerFault(`${id}: ${status} ${text}`);
  return { status, text };
}

async function openEvents(url: string, bearer: string | undefined): Promise<MatrixResponse> {
  const stop = new AbortController();
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const response = await fetch(url, { signal: stop.signal, headers });
  if (response.status !== 200) return { status: response.status, text: await response.text() };
  const first = await response.body!.getReader().read();
  stop.abort();
  return { status: response.status, text: new TextDecoder().decode(first.value) };
}
